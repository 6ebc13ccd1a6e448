import type { Purl } from './purl.ts'

/** Longer keys belong to no real package, and an index could not hold them. */
const maxKeyBytes = 1_000

/**
 * What all versions of a package share: type, namespace and name, as its type compares them. Null for a key over 1 000 bytes.
 * An npm scope written with `%2F` gives the same key as one written with a slash.
 */
export function purlKey({ type, namespace, name }: Purl): string | null {
  const key = namespace === null ? `${type}/${name}` : `${type}/${namespace}/${name}`
  return Buffer.byteLength(key) > maxKeyBytes ? null : key
}
