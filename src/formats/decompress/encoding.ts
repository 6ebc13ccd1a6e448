import { ServiceError } from '../../contract/errors.ts'
import { cleanText } from '../json/clean.ts'
import type { ContentEncoding } from '../../contract/encodings.ts'

/** What an endpoint takes: SBOMs are plain or gzip, VEX documents may also be zstd (docs/public-api.md, "Request headers"). */
export type AllowedEncodings = 'gzip' | 'gzip_and_zstd'

const encodings = new Map<string, ContentEncoding>([
  ['', 'identity'],
  ['identity', 'identity'],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['zstd', 'zstd'],
])

/**
 * The meaning of a `Content-Encoding` header; an absent or blank one is `identity`.
 * Everything else, lists such as `gzip, br` included, is `bad_encoding`, judged before the body is looked at.
 */
export function checkEncoding(header: string | undefined, allowed: AllowedEncodings): ContentEncoding {
  const encoding = encodings.get((header ?? '').trim().toLowerCase())
  if (encoding === undefined || !isAllowed(encoding, allowed)) {
    throw new ServiceError('bad_encoding', {
      detail: `Content-Encoding: expected ${namesOf(allowed)}, found "${cleanText(header ?? '', 40)}"`,
    })
  }
  return encoding
}

/** The compression the first bytes announce, whatever a header says; `identity` when they announce none. */
export function sniffEncoding(bytes: Uint8Array): ContentEncoding {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'gzip'
  return isZstdFrame(bytes) || isSkippableFrame(bytes) ? 'zstd' : 'identity'
}

export function isAllowed(encoding: ContentEncoding, allowed: AllowedEncodings): boolean {
  return encoding !== 'zstd' || allowed === 'gzip_and_zstd'
}

function namesOf(allowed: AllowedEncodings): string {
  return allowed === 'gzip' ? 'gzip, x-gzip or identity' : 'gzip, x-gzip, zstd or identity'
}

/** RFC 8878, 3.1.1: magic number 0xFD2FB528, little endian. */
function isZstdFrame(bytes: Uint8Array): boolean {
  return bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd
}

/** RFC 8878, 3.1.2: magic numbers 0x184D2A50 to 0x184D2A5F, little endian. */
function isSkippableFrame(bytes: Uint8Array): boolean {
  const first = bytes[0] ?? 0
  return (first & 0xf0) === 0x50 && bytes[1] === 0x2a && bytes[2] === 0x4d && bytes[3] === 0x18
}
