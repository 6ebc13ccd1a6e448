import { createHash } from 'node:crypto'
import { inflatedChunks } from '../../source-files/inflated-chunks.ts'
import { timeOf } from '../../source-files/fields.ts'
import { describeContent, RefusedData } from '../../source-files/refused-data.ts'
import { maxFeedBytes } from './feed-documents.ts'

/** What the `.meta` file beside a feed file says of it. */
export type FeedMeta = {
  lastModifiedAt: Date
  /** Of the inflated file. */
  sizeBytes: number
  /** Of the inflated file; lower case. */
  sha256: string
}

const maxMetaCharacters = 2_000

/**
 * Reads a `.meta` file (https://nvd.nist.gov/vuln/data-feeds): lines such as `sha256:9F86…`. Its `sha256` tells an unchanged feed
 * without downloading it, and keeps as content hash of the source. Refuses (`RefusedData`) what is none.
 */
export function readFeedMeta(text: string): FeedMeta {
  const lines = text.slice(0, maxMetaCharacters).split('\n')
  const fields = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, Math.max(colon, 0)).trim(), line.slice(colon + 1).trim()] as const
    }),
  )
  const lastModifiedAt = timeOf(fields.get('lastModifiedDate') ?? null)
  const size = fields.get('size') ?? ''
  const sha256 = (fields.get('sha256') ?? '').toLowerCase()
  if (lastModifiedAt === null || !/^\d{1,15}$/.test(size) || !/^[0-9a-f]{64}$/.test(sha256)) {
    throw new RefusedData(
      `expected the time, size and SHA-256 of a feed, found ${describeContent(Buffer.from(text.slice(0, maxMetaCharacters)))}`,
    )
  }
  return { lastModifiedAt, sizeBytes: Number(size), sha256 }
}

/** Compares a feed file, also gzip, with its `.meta`, before anything is read of it. Refuses (`RefusedData`) any difference. */
export async function checkFeed(path: string, meta: FeedMeta): Promise<void> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const chunk of inflatedChunks(path, maxFeedBytes)) {
    hash.update(chunk)
    sizeBytes += chunk.length
  }
  if (sizeBytes !== meta.sizeBytes) {
    throw new RefusedData(`expected ${meta.sizeBytes} bytes of NVD data, found ${sizeBytes}`)
  }
  const sha256 = hash.digest('hex')
  if (sha256 !== meta.sha256)
    throw new RefusedData(`expected NVD data with SHA-256 ${meta.sha256}, found ${sha256}`)
}
