import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { prepared } from '../../platform/postgres/prepared.ts'
import { publisherColumns, toPublisher, type Publisher } from './publisher.ts'

/** What every file of a feed depends on, beside the documents themselves. */
export type FeedState = {
  publisher: Publisher
  /** Time of the last publication as TLP:WHITE, else when the workspace was made. */
  lastUpdated: Date
  /** Differs whenever a file of the feed may: cached files have the stamp they were made under. */
  stamp: string
}

/** The feeds of workspaces in whatever state: they stay while one is read-only or closed. One that has moved has its feed elsewhere. */
export async function selectFeedStates(db: Db, slugs: readonly string[]): Promise<Map<string, FeedState>> {
  return runFeedStates(db, compileFeedStates(db), slugs)
}

/** The statement as text: building it costs as much as running it, and a crowd of readers runs it hundreds of times a second. */
export function compileFeedStates(db: Db) {
  return db
    .selectFrom('workspace as w')
    .leftJoin('disclosure_settings as d', 'd.workspace_id', 'w.id')
    .leftJoin('advisory_feed as f', 'f.workspace_id', 'w.id')
    .select([...publisherColumns, 'f.generation', 'f.last_white_at'])
    .where('w.slug', '=', sql<string>`any(${[]}::text[])`)
    .where('w.moved_to', 'is', null)
    .modifyEnd(prepared)
    .compile()
}

export async function runFeedStates(
  db: Db,
  statement: ReturnType<typeof compileFeedStates>,
  slugs: readonly string[],
): Promise<Map<string, FeedState>> {
  const asked: typeof statement = { ...statement, parameters: [slugs] }
  const { rows } = await db.executeQuery(asked)
  return new Map(
    rows.map((row) => {
      const publisher = toPublisher(row)
      const lastUpdated = row.last_white_at ?? publisher.createdAt
      const { slug, companyName, contactEmail, canonicalUrl } = publisher
      const stamp = JSON.stringify([
        row.generation ?? 0,
        lastUpdated,
        companyName,
        contactEmail,
        canonicalUrl,
      ])
      return [slug, { publisher, lastUpdated, stamp }]
    }),
  )
}
