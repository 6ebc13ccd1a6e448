import { sql, type RawBuilder } from 'kysely'
import type { AdvisorySeverity } from '../../contract/advisories/shapes.ts'
import type { Db } from '../../database/connection.ts'
import { askedRows, cutPage, decodeCursor } from '../../platform/cursor.ts'
import { readDocument, type WrittenDocument } from '../document/read-document.ts'

/** A public advisory, as lists show it. */
export type PublicAdvisory = {
  trackingId: string
  title: string
  severity: AdvisorySeverity | null
  number: string
  summary: string
  /** Path below the directory of the feed: `2026/acme-sa-2026-0001.json`. */
  path: string
  fileName: string
  firstReleasedAt: Date
  releasedAt: Date
  /** What the company was called then. */
  publisherName: string
  /** The version before was published in the same second: the time alone does not tell them apart. */
  isAmbiguous: boolean
}

/** Whether the version before was published in the same second. */
export function isAmbiguous(version: string): RawBuilder<boolean> {
  const of = (column: string) => sql.ref(`${version}.${column}`)
  return sql<boolean>`exists (
    select from advisory_version before
    where before.advisory_id = ${of('advisory_id')} and before.ordinal = ${of('ordinal')} - 1
      and date_trunc('second', before.released_at) = date_trunc('second', ${of('released_at')})
  )`
}

const columns = sql`a.tracking_id as "trackingId", v.title, v.severity, v.number, v.summary, a.year || '/' || a.file_name as path,
  a.file_name as "fileName", a.first_released_at as "firstReleasedAt", v.released_at as "releasedAt",
  v.publisher_name as "publisherName", ${isAmbiguous('v')} as "isAmbiguous"`
/** The version `v` in force of each advisory `a`, if it is public. */
const inForce = sql`advisory a
  join advisory_version v on v.advisory_id = a.id and v.ordinal = a.current_ordinal and v.tlp = 'WHITE'`

const shape = { list: 'public advisories', kinds: ['time', 'uuid'] } as const

/**
 * A page of the public advisories of a workspace, the newest change first. By key: one that is published or changed meanwhile moves no other
 * to another page. Codes: `invalid_request` (`cursor`).
 */
export async function listPublicAdvisories(
  db: Db,
  { workspaceId, cursor }: { workspaceId: string; cursor?: string | undefined },
): Promise<{ rows: PublicAdvisory[]; nextCursor: string | null }> {
  const [at, id] = cursor === undefined ? [null, null] : decodeCursor(shape, cursor)
  const { rows } = await sql<PublicAdvisory & { id: string }>`
    select ${columns}, a.id
    from ${inForce}
    where a.workspace_id = ${workspaceId}
      and (${at}::timestamptz is null or v.released_at < ${at} or (v.released_at = ${at} and a.id > ${id}::uuid))
    order by v.released_at desc, a.id
    limit ${askedRows}`.execute(db)
  const { shown, nextCursor } = cutPage(rows, {
    shape,
    position: (row) => [row.releasedAt.toISOString(), row.id],
  })
  return { rows: shown, nextCursor }
}

/** The public advisory of a tracking id in its own spelling, with the digests of its document; undefined: there is none. */
export async function findPublicAdvisory(
  db: Db,
  workspaceId: string,
  trackingId: string,
): Promise<(PublicAdvisory & { sha256: string; sha512: string }) | undefined> {
  const { rows } = await sql<PublicAdvisory & { sha256: string; sha512: string }>`
    select ${columns}, v.sha256, v.sha512
    from ${inForce}
    where a.workspace_id = ${workspaceId} and a.tracking_id = ${trackingId}`.execute(db)
  return rows[0]
}

/** The document that `findPublicAdvisory` has found; undefined: it is gone. */
export async function readPublicDocument(
  db: Db,
  { workspaceId, trackingId, sha256 }: { workspaceId: string; trackingId: string; sha256: string },
): Promise<WrittenDocument | undefined> {
  const { rows } = await sql<{ bytes: Buffer }>`
    select v.bytes
    from advisory a join advisory_version v on v.advisory_id = a.id and v.sha256 = ${sha256} and v.tlp = 'WHITE'
    where a.workspace_id = ${workspaceId} and a.tracking_id = ${trackingId}`.execute(db)
  const [row] = rows
  return row === undefined ? undefined : readDocument(row.bytes)
}

/** Whether a workspace has a public advisory: its security.txt names the feed from then on. */
export async function hasPublicAdvisory(db: Db, workspaceId: string): Promise<boolean> {
  const row = await db
    .selectFrom('advisory_feed')
    .select('last_white_at')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return row?.last_white_at !== null && row !== undefined
}
