const runLength = 4

/** Writes out runs: four equal bytes are followed by how many more of them there are. */
export function expanded(text: Uint8Array): Buffer {
  const content = Buffer.allocUnsafe(writeRuns(text, null))
  writeRuns(text, content)
  return content
}

/** Returns how many bytes the text is when written out; with `null` they are only counted. */
function writeRuns(text: Uint8Array, content: Buffer | null): number {
  let end = 0
  let same = 0
  let before = -1
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at] ?? 0
    if (same === runLength) {
      content?.fill(before, end, end + byte)
      end += byte
      same = 0
      before = -1
      continue
    }
    same = byte === before ? same + 1 : 1
    before = byte
    if (content !== null) content[end] = byte
    end += 1
  }
  return end
}
