/** What a path below `/csaf/` names. */
export type FeedPath = { slug: string } & (
  | { kind: 'metadata' | 'index' | 'changes' }
  | { kind: 'document' | 'sha256' | 'sha512'; year: number; file: string }
)

const namesOfKinds = {
  'provider-metadata.json': 'metadata',
  'white/index.txt': 'index',
  'white/changes.csv': 'changes',
} as const

const feedPath = /^([a-z0-9-]{1,60})\/(provider-metadata\.json|white\/index\.txt|white\/changes\.csv)$/
const documentPath = /^([a-z0-9-]{1,60})\/white\/(\d{4})\/([a-z0-9+_-]{1,64}\.json)(?:\.(sha256|sha512))?$/

/** What a path names, as it was sent: no other spelling of it is the same. Undefined: no file of a feed can have it. */
export function readFeedPath(path: string): FeedPath | undefined {
  const [, slug, name] = feedPath.exec(path) ?? []
  if (slug !== undefined && name !== undefined) {
    return { slug, kind: namesOfKinds[name as keyof typeof namesOfKinds] }
  }
  const [, owner, year, file, hash = 'document'] = documentPath.exec(path) ?? []
  if (owner === undefined || file === undefined) return undefined
  return { slug: owner, kind: hash as 'document' | 'sha256' | 'sha512', year: Number(year), file }
}
