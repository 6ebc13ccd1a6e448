import { sql } from 'kysely'
import type { Page } from '../../contract/page.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { IncidentEntry } from '../../contract/incidents/shapes.ts'
import type { Db } from '../../database/connection.ts'
import { askedRows, cutPage, decodeCursor } from '../../platform/cursor.ts'
import type { IncidentKey } from './select-decisions.ts'

const shape = { list: 'incident-timeline', kinds: ['time', 'bigint'] } as const

/** What happened on an incident, the newest first, 100 a page. Index incident_entry_of. Codes: `not_found`, `invalid_request` (cursor). */
export async function listEntries(
  db: Db,
  { workspaceId, incidentId }: IncidentKey,
  cursor: string | undefined,
): Promise<Page<IncidentEntry>> {
  await requireIncident(db, { workspaceId, incidentId })
  const ofIncident = db
    .selectFrom('incident_entry')
    .where('workspace_id', '=', workspaceId)
    .where('incident_id', '=', incidentId)
  const [time, id] = cursor === undefined ? [] : decodeCursor(shape, cursor)
  const rows = await ofIncident
    .select(['id', 'at', 'kind', 'actor_kind', 'actor_name', 'data'])
    .$if(time !== undefined, (query) =>
      query.where(sql<boolean>`(at, id) < (${time}::timestamptz, ${id}::bigint)`),
    )
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(askedRows)
    .execute()
  const { total } = await ofIncident
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const { shown, nextCursor } = cutPage(rows, { shape, position: (row) => [row.at.toISOString(), row.id] })
  const entries = shown.map((row) => ({
    id: String(row.id),
    at: row.at.toISOString(),
    kind: row.kind,
    actor: { kind: row.actor_kind, name: row.actor_name },
    data: row.data,
  }))
  return { rows: entries, nextCursor, total }
}

async function requireIncident(db: Db, { workspaceId, incidentId }: IncidentKey): Promise<void> {
  const row = await db
    .selectFrom('incident')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', incidentId)
    .executeTakeFirst()
  if (row === undefined) throw new ServiceError('not_found')
}
