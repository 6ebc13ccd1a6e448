import { sql, type RawBuilder } from 'kysely'
import { noticeRules, type BellPage, type NoticeFact } from '../contract/notices/shapes.ts'
import { shownTime } from '../contract/shown-time.ts'
import { ServiceError } from '../contract/errors.ts'
import type { Role } from '../contract/roles.ts'
import { knownKeys } from '../contract/known-keys.ts'
import type { Db } from '../database/connection.ts'
import { askedRows, cutPage, decodeCursor } from '../platform/cursor.ts'
import { zoneOfMember } from './members-times.ts'
import { knownZone } from '../workspace/company/company-rules.ts'
import { isForRole } from './tell-members.ts'
import { noticePath } from './notice-path.ts'
import { bellDetail } from './bell-detail.ts'
import { noticeWording } from './wording.ts'

type BellOf = { workspaceId: string; personId: string; role: Role }

const cursorShape = { list: 'bell', kinds: ['time', 'uuid'] } as const

/**
 * What the bell shows a member in a workspace: its entries and those about their own account, as far as their present role may see them. Index
 * bell_entry_person. Codes: `invalid_request` (cursor).
 */
export async function listBell(
  db: Db,
  of: BellOf & { slug: string },
  cursor: string | undefined,
): Promise<BellPage> {
  const [time, id] = cursor === undefined ? [null, null] : decodeCursor(cursorShape, cursor)
  type Row = {
    id: string
    workspace_id: string | null
    fact: NoticeFact
    created_at: Date
    read_at: Date | null
  }
  const { rows } = await sql<Row>`
    select id, workspace_id, fact, created_at, read_at from bell_entry
    where ${isShown(of)} and (${time}::timestamptz is null or (created_at, id) < (${time}::timestamptz, ${id}::uuid))
    order by created_at desc, id desc limit ${askedRows}`.execute(db)
  const { total, unread } = await countBell(db, of)
  const zone = await zoneOf(db, of)
  const show = (at: string | Date) => shownTime(at, zone)
  const { shown, nextCursor } = cutPage(rows, {
    shape: cursorShape,
    position: (row) => [row.created_at.toISOString(), row.id],
  })
  return {
    rows: shown.map(({ fact, ...row }) => {
      const wording = noticeWording(fact, show)
      return {
        id: row.id,
        kind: fact.type,
        headline: wording.headline,
        detail: bellDetail(fact, wording),
        path: noticePath(fact, row.workspace_id === null ? null : of.slug),
        createdAt: row.created_at.toISOString(),
        readAt: row.read_at?.toISOString() ?? null,
      }
    }),
    nextCursor,
    total,
    unread,
  }
}

/** The zone in which the pages show the member their times. */
async function zoneOf(db: Db, { workspaceId, personId }: BellOf): Promise<string> {
  const { rows } = await sql<{ zone: string }>`
    select ${zoneOfMember} as zone from workspace w
    left join member_notices n on n.workspace_id = w.id and n.person_id = ${personId}::uuid
    where w.id = ${workspaceId}`.execute(db)
  return knownZone(rows[0]?.zone ?? 'UTC')
}

/** How many entries the bell shows a member, and how many of them are not read. */
export async function countBell(db: Db, of: BellOf): Promise<{ total: number; unread: number }> {
  const { rows } = await sql<{ total: number; unread: number }>`
    select count(*) as total, count(*) filter (where read_at is null) as unread
    from bell_entry where ${isShown(of)}`.execute(db)
  return rows[0] ?? { total: 0, unread: 0 }
}

function isShown({ workspaceId, personId, role }: BellOf): RawBuilder<boolean> {
  const kinds = knownKeys(noticeRules).filter((kind) => isForRole(kind, role))
  return sql`person_id = ${personId}::uuid and (workspace_id = ${workspaceId}::uuid or workspace_id is null)
    and (is_named or kind = any(${kinds}::text[]))`
}

/** Reading twice changes nothing. Codes: `not_found`. */
export async function markRead(db: Db, of: BellOf & { entryId: string; now: Date }): Promise<void> {
  const { rows } = await sql`
    update bell_entry set read_at = coalesce(read_at, ${of.now}) where ${isShown(of)} and id = ${of.entryId}::uuid
    returning 1`.execute(db)
  if (rows.length === 0) throw new ServiceError('not_found')
}

/** Marks everything that the bell shows there as read. */
export async function markAllRead(db: Db, of: BellOf & { now: Date }): Promise<void> {
  await sql`update bell_entry set read_at = ${of.now} where ${isShown(of)} and read_at is null`.execute(db)
}
