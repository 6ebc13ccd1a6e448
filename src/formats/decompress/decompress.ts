import type { ContentEncoding } from '../../contract/encodings.ts'
import { ServiceError } from '../../contract/errors.ts'
import { checkEncoding, isAllowed, sniffEncoding, type AllowedEncodings } from './encoding.ts'
import { inflateGzip, inflateZstd, tooLarge } from './inflate.ts'

/**
 * The uploaded file from a request body: what is stored, hashed and compared as "the same bytes".
 * Compression is recognised by its first bytes where the header names none.
 *
 * `encoding` is the `Content-Encoding` header. Refuses with `bad_encoding` (also trailing garbage and a second layer
 * of compression), `empty` (also after inflating) and `too_large` (over `maxBytes` after inflating; exactly that passes).
 */
export function decompress(
  body: Uint8Array,
  encoding: string | undefined,
  allowed: AllowedEncodings,
  maxBytes: number,
): Uint8Array {
  const named = checkEncoding(encoding, allowed)
  if (body.length === 0) throw new ServiceError('empty')
  const file = inflateAs(codingOf(body, named, allowed), body, maxBytes)
  if (file.length === 0) throw new ServiceError('empty')
  if (file.length > maxBytes) throw tooLarge(maxBytes)
  const remaining = sniffEncoding(file)
  if (remaining !== 'identity') {
    throw new ServiceError('bad_encoding', {
      detail: `the body is still ${remaining} where the file should begin`,
    })
  }
  return file
}

/**
 * Frees the memory of an inflated file once nobody reads it any more; a body that was not compressed is its file, and stays. The
 * collector would leave 50 MB outside of the heap, and V8 counts them for when it collects next.
 */
export function releaseInflated(file: Uint8Array, body: Uint8Array): void {
  if (file.buffer instanceof ArrayBuffer && file.buffer !== body.buffer) file.buffer.transfer(0)
}

function codingOf(body: Uint8Array, named: ContentEncoding, allowed: AllowedEncodings): ContentEncoding {
  if (named !== 'identity') return named
  const sniffed = sniffEncoding(body)
  return isAllowed(sniffed, allowed) ? sniffed : 'identity'
}

function inflateAs(coding: ContentEncoding, body: Uint8Array, maxBytes: number): Uint8Array {
  switch (coding) {
    case 'identity':
      return body
    case 'gzip':
      return inflateGzip(body, maxBytes)
    case 'zstd':
      return inflateZstd(body, maxBytes)
  }
}
