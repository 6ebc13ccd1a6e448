import { constants, gunzipSync, zstdDecompressSync, type ZlibOptions, type ZstdOptions } from 'node:zlib'
import { ServiceError } from '../../contract/errors.ts'

/** A frame costs about 20 µs and can be nine bytes long: 4 MB of empty frames would cost ten seconds. */
const maxZstdFrames = 1_000

/** 8 MB: the largest window of the zstd content coding (RFC 9659, 3). Without it Node accepts 128 MB. */
const maxZstdWindowLog = 23

const chunkSize = 64 * 1024
/** RFC 1952, 2.3.1: a gzip member ends with the size of what it inflates to, four bytes, low ones first. */
const trailerBytes = 4

type Inflated = { output: Uint8Array; consumedBytes: number }

/**
 * Inflates gzip, several members as one stream (RFC 1952, 2.2), up to `maxBytes` of output.
 * Node stops without an error at a zero byte behind a member, so the rest must be padding only.
 */
export function inflateGzip(body: Uint8Array, maxBytes: number): Uint8Array {
  const { output, consumedBytes } = inflate({ coding: 'gzip', maxBytes }, () => gunzip(body, maxBytes))
  for (let at = consumedBytes; at < body.length; at += 1) {
    if (body[at] !== 0) throw notReadable('gzip: data after the end of the stream')
  }
  return output
}

/**
 * Inflates zstd, several frames as one stream (RFC 8878, 3), up to `maxBytes` of output.
 * Node decodes one frame and silently drops what follows, so the frames are walked by the bytes each one used.
 */
export function inflateZstd(body: Uint8Array, maxBytes: number): Uint8Array {
  const outputs: Uint8Array[] = []
  let sizeBytes = 0
  let position = 0
  for (let frames = 0; position < body.length; frames += 1) {
    if (frames === maxZstdFrames) throw notReadable(`zstd: more than ${maxZstdFrames} frames`)
    // Zero would mean "no limit" to Node: the last byte over the cap is counted below.
    const maxOutputLength = Math.max(maxBytes - sizeBytes, 1)
    const frame = inflate({ coding: 'zstd', maxBytes }, () =>
      unzstd(body.subarray(position), { maxOutputLength }),
    )
    if (frame.consumedBytes <= 0) throw notReadable('zstd: a frame without end')
    outputs.push(frame.output)
    sizeBytes += frame.output.length
    position += frame.consumedBytes
    if (sizeBytes > maxBytes) throw tooLarge(maxBytes)
  }
  return outputs.length === 1 && outputs[0] ? outputs[0] : Buffer.concat(outputs, sizeBytes)
}

function gunzip(body: Uint8Array, maxOutputLength: number): Inflated {
  const options: ZlibOptions = { maxOutputLength, chunkSize: likelySize(body, maxOutputLength) }
  return withConsumed(gunzipSync(body, { ...options, info: true }))
}

/**
 * A buffer for the whole file, and one byte that shows its end: with a smaller one, the pieces would be in memory beside the whole.
 * Only a guess, because the body can end with anything; unused space takes no memory.
 */
function likelySize(body: Uint8Array, maxBytes: number): number {
  if (body.length < trailerBytes) return chunkSize
  const end = new DataView(body.buffer, body.byteOffset + body.length - trailerBytes)
  const size = end.getUint32(0, true)
  return size > maxBytes ? chunkSize : Math.max(chunkSize, size + 1)
}

function unzstd(body: Uint8Array, options: ZstdOptions): Inflated {
  const params = { [constants.ZSTD_d_windowLogMax]: maxZstdWindowLog }
  return withConsumed(zstdDecompressSync(body, { ...options, chunkSize, params, info: true }))
}

/** With `info: true` Node answers `{ buffer, engine }`; its type declarations name only the buffer. */
function withConsumed(result: unknown): Inflated {
  const { buffer, engine } = result as { buffer: Uint8Array; engine: { bytesWritten: number } }
  return { output: buffer, consumedBytes: engine.bytesWritten }
}

function inflate({ coding, maxBytes }: { coding: string; maxBytes: number }, run: () => Inflated): Inflated {
  try {
    return run()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes)
    if (isDataError(code)) throw notReadable(`${coding}: ${(error as Error).message}`)
    throw error
  }
}

/** Errors caused by the input; any other is a defect of ours. */
function isDataError(code: string): boolean {
  return code.startsWith('ZSTD_error_') || ['Z_DATA_ERROR', 'Z_BUF_ERROR', 'Z_NEED_DICT'].includes(code)
}

export function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError('too_large', { detail: `more than ${maxBytes} bytes decompressed` })
}

function notReadable(detail: string): ServiceError {
  return new ServiceError('bad_encoding', { detail })
}
