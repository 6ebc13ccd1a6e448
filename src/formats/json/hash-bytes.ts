const prime = 0x01000193
const endBytes = 8

/** FNV-1a over the length and up to eight bytes of both ends. */
export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start
  let hash = Math.imul(0x811c9dc5 ^ length, prime)
  const headEnd = Math.min(end, start + endBytes)
  for (let at = start; at < headEnd; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), prime)
  for (let at = Math.max(headEnd, end - endBytes); at < end; at += 1) {
    hash = Math.imul(hash ^ (bytes[at] ?? 0), prime)
  }
  return hash
}
