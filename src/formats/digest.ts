/**
 * Bytes by algorithm, whose name is in small letters without hyphens (CycloneDX 1.7 `hash-alg`; SPDX 2.3, 7.10); null where the length is free.
 */
const digestBytes = new Map<string, number | null>([
  ['adler32', 4],
  ['blake2b256', 32],
  ['blake2b384', 48],
  ['blake2b512', 64],
  ['blake3', null],
  ['md2', 16],
  ['md4', 16],
  ['md5', 16],
  ['md6', null],
  ['sha1', 20],
  ['sha224', 28],
  ['sha256', 32],
  ['sha384', 48],
  ['sha512', 64],
  ['sha3256', 32],
  ['sha3384', 48],
  ['sha3512', 64],
  ['streebog256', 32],
  ['streebog512', 64],
])

const hexadecimal = /^[0-9a-f]+$/
const base64 = /^[A-Za-z0-9+/]+={0,2}$/

/** `sha512:…` in small hexadecimal digits of a digest written so in any case; null where it is none. */
function hexDigestOf(name: string, value: string): string | null {
  const bytes = digestBytes.get(name)
  const digits = value.toLowerCase()
  if (bytes === undefined || !hexadecimal.test(digits)) return null
  return bytes === null || digits.length === 2 * bytes ? `${name}:${digits}` : null
}

/** The same of one that may be in base64 instead (Subresource Integrity, 3.1), its algorithm spelled in any way: `SHA-512`, `sha_512`. */
export function digestOf(algorithm: string, value: string): string | null {
  const name = algorithm.toLowerCase().replaceAll(/[-_]/g, '')
  const digest = hexDigestOf(name, value)
  const bytes = digestBytes.get(name) ?? null
  if (digest !== null || bytes === null) return digest
  if (value.length !== 4 * Math.ceil(bytes / 3) || !base64.test(value)) return null
  const decoded = Buffer.from(value, 'base64')
  return decoded.length === bytes ? `${name}:${decoded.toString('hex')}` : null
}

/** The same of what a document states as the digest of a file: some copy the integrity metadata of a lock file (`sha512-…`) into it. */
export function statedDigestOf(algorithm: string, stated: string): string | null {
  const value = stated.trim()
  return digestOf(algorithm, value) ?? digestsOfIntegrity(value)[0] ?? null
}

/** The digests of integrity metadata: `sha512-…`, perhaps with options, several of them separated by blanks. */
export function digestsOfIntegrity(text: string): string[] {
  return text.split(/\s+/).flatMap((part) => {
    const [, algorithm = '', value = ''] = /^(sha\d{1,3})-([^?]+)/i.exec(part) ?? []
    return digestOf(algorithm, value) ?? []
  })
}
