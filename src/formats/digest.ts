/** Bytes of the digests that are compared, by the name of their algorithm in small letters without hyphens. */
const digestBytes = new Map([
  ['sha1', 20],
  ['sha224', 28],
  ['sha256', 32],
  ['sha384', 48],
  ['sha512', 64],
  ['sha3256', 32],
  ['sha3384', 48],
  ['sha3512', 64],
  ['blake2b256', 32],
  ['blake2b384', 48],
  ['blake2b512', 64],
])

const hexadecimal = /^[0-9a-f]+$/i
const base64 = /^[A-Za-z0-9+/]+={0,2}$/

/** `sha512:…` in small hexadecimal digits of a digest written so in any case, or in base64 (Subresource Integrity, 3.1); null where it is none. */
export function digestOf(algorithm: string, value: string): string | null {
  const name = algorithm.toLowerCase().replaceAll(/[-_]/g, '')
  const bytes = digestBytes.get(name)
  if (bytes === undefined) return null
  if (value.length === 2 * bytes && hexadecimal.test(value)) return `${name}:${value.toLowerCase()}`
  if (value.length !== 4 * Math.ceil(bytes / 3) || !base64.test(value)) return null
  const decoded = Buffer.from(value, 'base64')
  return decoded.length === bytes ? `${name}:${decoded.toString('hex')}` : null
}

/** The digests of integrity metadata: `sha512-…`, perhaps with options, several of them separated by blanks. */
export function digestsOfIntegrity(text: string): string[] {
  return text.split(/\s+/).flatMap((part) => {
    const [, algorithm = '', value = ''] = /^(sha\d{1,3})-([^?]+)/i.exec(part) ?? []
    return digestOf(algorithm, value) ?? []
  })
}
