import { hash } from 'node:crypto'

/**
 * An id that follows from what it names: 128 bits of SHA-256 over the columns, as UUID text. Joined, since V8 keeps a template of many parts as a
 * tree of them, at 400 bytes instead of 56.
 */
export function hashId(columns: readonly unknown[]): string {
  const hex = hash('sha256', JSON.stringify(columns), 'hex')
  const groups = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)]
  return groups.join('-')
}
