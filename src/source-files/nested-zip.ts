import { createWriteStream } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import type { PlacedEntry } from './placed-entry.ts'
import { RefusedData } from './refused-data.ts'

/** About eight times the largest public one. */
const maxInnerBytes = 4 * 1024 ** 3
const [stored, deflated] = [0, 8]

type Packed = { file: FileHandle; start: number; entry: PlacedEntry }

/** Writes an entry of a zip file to a file of its own, piece by piece. Refuses (`RefusedData`) one that is broken or too large. */
export async function unpackInto(toFile: string, packed: Packed): Promise<void> {
  const { entry } = packed
  refuseUnreadable(entry)
  const written = createWriteStream(toFile, { mode: 0o600 })
  const checked = (chunks: AsyncIterable<Buffer>) => checkedChunks(chunks, entry)
  try {
    if (entry.compressionMethod === stored) await pipeline(bytesOf(packed), checked, written)
    else await pipeline(bytesOf(packed), createInflateRaw(), checked, written)
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))
      throw refusal(entry, 'which does not inflate', error)
    throw error
  }
}

function refuseUnreadable(entry: PlacedEntry): void {
  const { uncompressedSize, compressionMethod } = entry
  if (uncompressedSize > maxInnerBytes) throw refusal(entry, `which is larger than ${maxInnerBytes} bytes`)
  if (entry.isEncrypted || (compressionMethod !== stored && compressionMethod !== deflated))
    throw refusal(entry, 'which is encrypted or compressed in an unknown way')
}

function bytesOf({ file, start, entry: { compressedSize } }: Packed): Readable {
  if (compressedSize === 0) return Readable.from([])
  return file.createReadStream({ start, end: start + compressedSize - 1, autoClose: false })
}

async function* checkedChunks(chunks: AsyncIterable<Buffer>, entry: PlacedEntry): AsyncGenerator<Buffer> {
  let sizeBytes = 0
  let checksum = 0
  for await (const chunk of chunks) {
    sizeBytes += chunk.length
    if (sizeBytes > entry.uncompressedSize) throw refusal(entry, 'which is larger than it says')
    checksum = crc32(chunk, checksum)
    yield chunk
  }
  if (sizeBytes !== entry.uncompressedSize || checksum !== entry.crc32)
    throw refusal(entry, 'whose size or checksum is wrong')
}

function refusal({ fileName }: PlacedEntry, found: string, cause?: unknown): RefusedData {
  return new RefusedData(`expected a complete zip file, found ${fileName}, ${found}`, { cause })
}
