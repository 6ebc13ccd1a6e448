import { randomBytes, randomFillSync } from 'node:crypto'

/**
 * A UUID of version 7 (RFC 9562 §5.7): ids made later sort later, so indexes grow at their end.
 */
export function newId(now: Date): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(now.getTime(), 0, 6)
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether a text is an id as `newId` writes it, of any version: lower-case hexadecimal. */
export function isId(text: string): boolean {
  return idForm.test(text)
}

/** `bytes` random bytes as base64url text: letters, digits, `-` and `_`. */
export function randomText(bytes: number): string {
  return randomBytes(bytes).toString('base64url')
}

const requestIdBytes = 12
/** Asking the system for each id costs 5 µs; these bytes need not be secret. */
const drawn = Buffer.alloc(requestIdBytes * 512)
let used = drawn.length

/** An id that tells requests apart in the log: 16 letters, digits, `-` and `_`. Not for secrets. */
export function newRequestId(): string {
  if (used === drawn.length) {
    randomFillSync(drawn)
    used = 0
  }
  used += requestIdBytes
  return drawn.toString('base64url', used - requestIdBytes, used)
}
