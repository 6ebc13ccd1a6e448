import { createWriteStream } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import type { Entry } from 'yauzl'
import { RefusedData } from './refused-data.ts'

/** About eight times the largest public one. */
const maxInnerBytes = 4 * 1024 ** 3
const [stored, deflated] = [0, 8]

type Packed = { file: FileHandle; start: number; entry: Entry }

/** Writes an entry of a zip file to a file of its own, piece by piece. Refuses (`RefusedData`) one that is broken or too large. */
export async function unpackInto(toFile: string, { file, start, entry }: Packed): Promise<void> {
  const { compressedSize, uncompressedSize, compressionMethod, fileName } = entry
  const refuse = (found: string, cause?: unknown) =>
    new RefusedData(`expected a complete zip file, found ${fileName}, ${found}`, { cause })
  if (uncompressedSize > maxInnerBytes) throw refuse(`which is larger than ${maxInnerBytes} bytes`)
  if (entry.isEncrypted() || (compressionMethod !== stored && compressionMethod !== deflated))
    throw refuse('which is encrypted or compressed in an unknown way')
  const packed =
    compressedSize === 0
      ? Readable.from([])
      : file.createReadStream({ start, end: start + compressedSize - 1, autoClose: false })
  let [sizeBytes, checksum] = [0, 0]
  async function* checked(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      sizeBytes += chunk.length
      if (sizeBytes > uncompressedSize) throw refuse('which is larger than it says')
      checksum = crc32(chunk, checksum)
      yield chunk
    }
  }
  const written = createWriteStream(toFile, { mode: 0o600 })
  try {
    if (compressionMethod === stored) await pipeline(packed, checked, written)
    else await pipeline(packed, createInflateRaw(), checked, written)
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))
      throw refuse('which does not inflate', error)
    throw error
  }
  if (sizeBytes !== uncompressedSize || checksum !== entry.crc32)
    throw refuse('whose size or checksum is wrong')
}
