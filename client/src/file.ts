import { readFileSync, statSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { usageFailure } from './failure.ts'

/** A file as it is sent. */
export type Body = { bytes: Uint8Array; encoding: 'gzip' | 'zstd' }

const mebibyte = 1024 * 1024
const maxSentBytes = 4 * mebibyte
const maxFileBytes = 50 * mebibyte

/** Of standard input, as tools of a pipeline write it. */
const standardInput = '-'

/**
 * Reads a file, or standard input, and compresses it, unless it is compressed already: gzip, and for VEX zstd. Fails as usage when it cannot be
 * read, is empty, or is over a limit of the service (docs/public-api.md, "Limits"): 50 MB, and 4 MB as sent.
 */
export async function readBody(path: string): Promise<Body> {
  const file = await readBytes(path)
  if (startsWith(file, [0x28, 0xb5, 0x2f, 0xfd])) return withinSent({ bytes: file, encoding: 'zstd' })
  if (!startsWith(file, [0x1f, 0x8b])) return withinSent({ bytes: gzipSync(file), encoding: 'gzip' })
  judgeGzip(file)
  return withinSent({ bytes: file, encoding: 'gzip' })
}

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    const isInput = path === standardInput
    const bytes = isInput ? await readInput() : readFile(path)
    if (bytes.length === 0) throw usageFailure(`${isInput ? 'standard input' : 'the file'} is empty`)
    return bytes
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    const reason = error.code === 'ENOENT' ? `there is no ${path}` : error.message
    throw usageFailure(`the file cannot be read: ${reason}`)
  }
}

function readFile(path: string): Uint8Array {
  const stat = statSync(path)
  if (stat.isDirectory()) throw usageFailure(`the file cannot be read: ${path} is a folder`)
  if (stat.size > maxFileBytes) throw tooLarge('the file', stat.size, '50 MB')
  return readFileSync(path)
}

/** A pipe does not say how much is in it, and may never end. Read at once, it fails whenever its writer is slower. */
async function readInput(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  const input: AsyncIterable<Uint8Array> = process.stdin
  for await (const chunk of input) {
    sizeBytes += chunk.length
    if (sizeBytes > maxFileBytes)
      throw usageFailure('standard input is larger than 50 MB, which the service does not accept')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function judgeGzip(bytes: Uint8Array): void {
  try {
    if (gunzipSync(bytes, { maxOutputLength: maxFileBytes }).length === 0)
      throw usageFailure('the file is empty')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    if (error.code === 'ERR_BUFFER_TOO_LARGE') {
      throw usageFailure(
        'the file is too large: more than 50 MB when decompressed, which the service does not accept',
      )
    }
    throw usageFailure('the file starts like gzip, but cannot be decompressed')
  }
}

function withinSent(body: Body): Body {
  if (body.bytes.length > maxSentBytes) throw tooLarge('the compressed file', body.bytes.length, '4 MB')
  return body
}

function tooLarge(what: string, sizeBytes: number, limit: string): Error {
  // rounded up: one byte over 50 MB is not 50.0 MB
  const size = (Math.ceil((sizeBytes / mebibyte) * 10) / 10).toFixed(1)
  return usageFailure(`${what} has ${size} MB; the service accepts at most ${limit}`)
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, place) => bytes[place] === byte)
}
