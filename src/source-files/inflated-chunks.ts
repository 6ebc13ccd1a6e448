import { open } from 'node:fs/promises'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { fileStream } from './file-stream.ts'
import { RefusedData } from './refused-data.ts'

const gzipMagic = Buffer.from([0x1f, 0x8b])

/**
 * The content of a file in pieces, inflated when it is gzip, whatever its name. Hostile: refuses (`RefusedData`) what inflates to more
 * than `maxBytes`, and a gzip file that is broken or cut off. Nothing stays open when the reader stops early.
 */
export async function* inflatedChunks(path: string, maxBytes: number): AsyncGenerator<Buffer> {
  const isGzip = await beginsWith(path, gzipMagic)
  let total = 0
  try {
    for await (const chunk of (await openContent(path, isGzip)) as AsyncIterable<Buffer>) {
      total += chunk.length
      if (total > maxBytes) throw new RefusedData(`${path} holds more than ${maxBytes} bytes`)
      yield chunk
    }
  } catch (cause) {
    if (!isInflateError(cause)) throw cause
    throw new RefusedData(`expected a complete gzip file, found one that is broken or cut off`, { cause })
  }
}

async function openContent(path: string, isGzip: boolean): Promise<Readable> {
  const { stream: file, pieceBytes } = await fileStream(path)
  if (!isGzip) return file
  const gunzip = createGunzip({ chunkSize: pieceBytes })
  // The reader of the inflated side hears of the error too; here it only has to close the file.
  pipeline(file, gunzip, () => undefined)
  return gunzip
}

/** Whether the file begins with these bytes. */
export async function beginsWith(path: string, magic: Buffer): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(magic.length), 0, magic.length, 0)
    return bytesRead === magic.length && buffer.equals(magic)
  } finally {
    await file.close()
  }
}

/** zlib's own errors have codes such as `Z_DATA_ERROR` and `Z_BUF_ERROR` (cut off). */
function isInflateError(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_')
  )
}
