import type { Db } from '../../database/connection.ts'
import { providerMetadata } from './provider-metadata.ts'
import { selectPublisher } from './publisher.ts'

/** A file of the public feed. */
export type FeedFile = { bytes: Buffer; type: 'application/json' | 'text/plain' | 'text/csv' }

/** A path below `/csaf/`, as it was sent: no other spelling of it is the same. */
const feedPath = /^([a-z0-9-]{1,60})\/(provider-metadata\.json|white\/index\.txt|white\/changes\.csv)$/

/** The file at a path below `/csaf/`; undefined when there is none (docs/public-api.md, "Public CSAF feed"). */
export async function findFeedFile(db: Db, path: string, baseUrl: string): Promise<FeedFile | undefined> {
  const [, slug, name] = feedPath.exec(path) ?? []
  if (slug === undefined || name === undefined) return undefined
  const publisher = await selectPublisher(db, slug)
  if (publisher === undefined) return undefined
  if (name !== 'provider-metadata.json') {
    // nothing is published: both indexes are empty
    return { bytes: Buffer.alloc(0), type: name === 'white/index.txt' ? 'text/plain' : 'text/csv' }
  }
  const text = `${JSON.stringify(providerMetadata(publisher, baseUrl), null, 2)}\n`
  return { bytes: Buffer.from(text), type: 'application/json' }
}
