import { sql } from 'kysely'
import {
  inboxTabs,
  statesOfTab,
  type InboxCounts,
  type InboxPage,
  type InboxRow,
  type InboxTab,
} from '../../contract/disclosure/shapes.ts'
import type { Db } from '../../database/connection.ts'
import { askedRows, cutPage, decodeCursor } from '../../platform/cursor.ts'
import type { Sealing } from '../../platform/sealing/sealing.ts'
import { openedReport } from '../credited-names.ts'
import { fileRoomOf } from '../reports/file-room.ts'
import { waitsUntil } from '../reports/promise.ts'

type Asked = { workspaceId: string; tab: InboxTab; cursor: string | undefined; now: Date; sealing: Sealing }

const cursorShape = { list: 'inbox', kinds: ['int'] } as const

/** Reports of a tab, the newest first. Index inbox_report_listed. Codes: `invalid_request` (cursor). */
export async function listInbox(db: Db, asked: Asked): Promise<InboxPage> {
  const { workspaceId, tab, cursor, now, sealing } = asked
  let query = db
    .selectFrom('inbox_report as r')
    .leftJoin('family as f', 'f.id', 'r.family_id')
    .select([
      'r.id',
      'r.number',
      'r.state',
      'r.received_at',
      'r.acknowledge_by',
      'r.answered_at',
      'r.exploited',
      'r.text_sealed',
      'r.erased_at',
      'r.family_id',
      'f.name as family_name',
    ])
    .where('r.workspace_id', '=', workspaceId)
    .where('r.state', 'in', statesOfTab[tab])
  if (cursor !== undefined) {
    const [number] = decodeCursor(cursorShape, cursor)
    query = query.where('r.number', '<', number)
  }
  const [found, counts, state, files] = await Promise.all([
    query.orderBy('r.number', 'desc').limit(askedRows).execute(),
    countInbox(db, workspaceId, now),
    sealing.state(db),
    fileRoomOf(db, workspaceId),
  ])
  const { shown, nextCursor } = cutPage(found, { shape: cursorShape, position: ({ number }) => [number] })
  const rows = shown.map((row): InboxRow => ({
    id: row.id,
    number: row.number,
    state: row.state,
    receivedAt: row.received_at.toISOString(),
    acknowledgeBy: waitsUntil(row),
    family: row.family_id === null ? null : { id: row.family_id, name: row.family_name ?? '' },
    exploited: row.exploited,
    title: openedReport(sealing, { workspaceId, id: row.id }, row.text_sealed)?.title ?? null,
    isErased: row.erased_at !== null,
  }))
  return { rows, nextCursor, total: counts[tab], counts, canReceive: state === 'ready', files }
}

export async function countInbox(db: Db, workspaceId: string, now: Date): Promise<InboxCounts> {
  const rows = await db
    .selectFrom('inbox_report')
    .select([
      'state',
      sql<number>`count(*)::int`.as('count'),
      sql<number>`(count(*) filter (where answered_at is null and erased_at is null and acknowledge_by <= ${now}))::int`.as(
        'overdue',
      ),
    ])
    .where('workspace_id', '=', workspaceId)
    .groupBy('state')
    .execute()
  const counts: InboxCounts = { new: 0, open: 0, closed: 0, spam: 0, overdue: 0 }
  for (const { state, count, overdue } of rows) {
    for (const tab of inboxTabs) if (statesOfTab[tab].includes(state)) counts[tab] += count
    if (state === 'new') counts.overdue = overdue
  }
  return counts
}
