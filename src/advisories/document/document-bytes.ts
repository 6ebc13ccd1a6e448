/** The bytes of a document whose keys are sorted: what is hashed, stored and served. */
export function documentBytes(document: object): Buffer {
  return Buffer.from(`${JSON.stringify(document, null, 2)}\n`)
}
