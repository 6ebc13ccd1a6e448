const runLength = 4

/** Writes out runs: four equal bytes are followed by how many more of them there are. */
export function expanded(text: Uint8Array): Buffer {
  const content = Buffer.allocUnsafe(expandedSize(text))
  let end = 0
  let same = 0
  let before = -1
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at] ?? 0
    if (same === runLength) {
      content.fill(before, end, end + byte)
      end += byte
      same = 0
      before = -1
      continue
    }
    same = byte === before ? same + 1 : 1
    before = byte
    content[end] = byte
    end += 1
  }
  return content
}

function expandedSize(text: Uint8Array): number {
  let size = 0
  let same = 0
  let before = -1
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at] ?? 0
    if (same === runLength) {
      size += byte
      same = 0
      before = -1
      continue
    }
    same = byte === before ? same + 1 : 1
    before = byte
    size += 1
  }
  return size
}
