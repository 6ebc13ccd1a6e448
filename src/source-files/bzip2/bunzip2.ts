import { RefusedData } from '../refused-data.ts'
import { BitReader } from './bit-reader.ts'
import { BlockMemory } from './block-memory.ts'
import { readBlock, unsorted } from './block.ts'
import { brokenBlock } from './huffman.ts'
import { expanded } from './runs.ts'

const blockMark = 0x314159265359
const endMark = 0x177245385090
const levelBytes = 100_000

/**
 * The content of a bzip2 file, block by block (each at most 900 000 bytes before its runs are written out); Node has no such reader, and no library of it is kept. Hostile: refuses
 * (`RefusedData`) what is broken, cut off or does not have the checksums that it states, and content of more than `maxBytes`. Between blocks, which
 * take some ten milliseconds, and within them other work has its turn.
 */
export async function* bunzip2(file: Buffer, maxBytes: number): AsyncGenerator<Buffer> {
  const reader = new BitReader(file)
  const memory = new BlockMemory()
  let total = 0
  do {
    const size = readLevel(reader) * levelBytes
    let checksum = 0
    for (let mark = readMark(reader); mark !== endMark; mark = readMark(reader)) {
      if (mark !== blockMark) throw brokenBlock('one without blocks')
      const stated = reader.word()
      const sorted = readBlock(reader, { memory, size })
      await turn()
      const text = unsorted(sorted, memory)
      await turn()
      const content = expanded(text)
      total += content.length
      if (total > maxBytes) throw new RefusedData(`expected at most ${maxBytes} bytes, found more`)
      if (checksumOf(content) !== stated) throw brokenBlock('one with a broken block')
      checksum = (((checksum << 1) | (checksum >>> 31)) ^ stated) >>> 0
      yield content
      await turn()
    }
    if (reader.word() !== checksum) throw brokenBlock('one with another checksum')
    reader.align()
  } while (!reader.isAtEnd())
}

async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

function readLevel(reader: BitReader): number {
  const level = reader.bits(24) === 0x425a68 ? reader.bits(8) - 0x30 : 0
  if (level < 1 || level > 9) throw brokenBlock('other content')
  return level
}

function readMark(reader: BitReader): number {
  return reader.bits(24) * 0x100_0000 + reader.bits(24)
}

/** CRC-32 with the highest bit first, unlike zlib's. */
const table = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24
  for (let bit = 0; bit < 8; bit += 1) crc = crc < 0 ? (crc << 1) ^ 0x04c1_1db7 : crc << 1
  return crc
})

function checksumOf(content: Buffer): number {
  let crc = -1
  for (let at = 0; at < content.length; at += 1)
    crc = (crc << 8) ^ (table[(crc >>> 24) ^ (content[at] ?? 0)] ?? 0)
  return ~crc >>> 0
}
