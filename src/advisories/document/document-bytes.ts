/** The bytes of a document as `sorted` gives it: what is hashed, stored and served. */
export function documentBytes(document: object): Buffer {
  return Buffer.from(`${JSON.stringify(document, null, 2)}\n`)
}

/** The document with its keys in alphabetical order (CSAF 2.0, 6.2.13). */
export function sortedDocument(document: object): object {
  return sorted(document) as object
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const keys = Object.keys(value).sort()
  return Object.fromEntries(keys.map((key) => [key, sorted((value as Record<string, unknown>)[key])]))
}
