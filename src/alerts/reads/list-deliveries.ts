import { sql, type Selectable } from 'kysely'
import { eventUrl } from '../deliveries/event-body.ts'
import { eventIdPrefix, type DeliveryProblem, type DeliveryRow } from '../../contract/alerts/shapes.ts'
import type { Page } from '../../contract/page.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../database/connection.ts'
import type { Tables } from '../../database/tables.ts'
import { askedRows, cutPage, decodeCursor } from '../../platform/cursor.ts'

/** The workspace whose deliveries are read; `baseUrl` and `slug` make the links. */
export type DeliveriesOf = { workspaceId: string; slug: string; baseUrl: string }

const columns = [
  'd.id',
  'd.type',
  'd.state',
  'd.created_at',
  'd.sent_at',
  'd.duration_ms',
  'd.status',
  'd.reason',
  'd.fact',
] as const

type StoredDelivery = Pick<
  Selectable<Tables['alert_delivery']>,
  'id' | 'type' | 'state' | 'created_at' | 'sent_at' | 'duration_ms' | 'status' | 'reason' | 'fact'
>

const shownDeliveries = 100

/** The last hundred deliveries of a destination, the newest first. Codes: `not_found`. */
export async function listDeliveries(
  db: Db,
  place: DeliveriesOf,
  destinationId: string,
): Promise<DeliveryRow[]> {
  const destination = await db
    .selectFrom('alert_destination')
    .select('id')
    .where('workspace_id', '=', place.workspaceId)
    .where('id', '=', destinationId)
    .executeTakeFirst()
  if (destination === undefined) throw new ServiceError('not_found')
  const rows = await db
    .selectFrom('alert_delivery as d')
    .select(columns)
    .where('d.workspace_id', '=', place.workspaceId)
    .where('d.destination_id', '=', destinationId)
    .orderBy('d.created_at', 'desc')
    .orderBy('d.id', 'desc')
    .limit(shownDeliveries)
    .execute()
  return rows.map((row) => toRow(row, place))
}

/** One delivery. Codes: `not_found`. */
export async function getDelivery(db: Db, place: DeliveriesOf, deliveryId: string): Promise<DeliveryRow> {
  const row = await db
    .selectFrom('alert_delivery as d')
    .select(columns)
    .where('d.workspace_id', '=', place.workspaceId)
    .where('d.id', '=', deliveryId)
    .executeTakeFirst()
  if (row === undefined) throw new ServiceError('not_found')
  return toRow(row, place)
}

type ProblemQuery = { destinationId: string | undefined; cursor: string | undefined }

const problemCursor = { list: 'delivery-problems', kinds: ['time', 'uuid'] } as const

/** Failed deliveries, the newest first, removed destinations included. Index alert_delivery_problems. Codes: `invalid_request` (cursor). */
export async function listDeliveryProblems(
  db: Db,
  place: DeliveriesOf,
  { destinationId, cursor }: ProblemQuery,
): Promise<Page<DeliveryProblem>> {
  const failed = db
    .selectFrom('alert_delivery as d')
    .innerJoin('alert_destination as t', 't.id', 'd.destination_id')
    .where('d.workspace_id', '=', place.workspaceId)
    .where('d.state', '=', 'failed')
    .$if(destinationId !== undefined, (query) => query.where('d.destination_id', '=', destinationId ?? ''))
  const [time, id] = cursor === undefined ? [] : decodeCursor(problemCursor, cursor)
  const rows = await failed
    .select([...columns, 't.id as destination_id', 't.name', 't.kind', 't.removed_at'])
    .$if(time !== undefined, (query) =>
      query.where(sql<boolean>`(d.created_at, d.id) < (${time}::timestamptz, ${id}::uuid)`),
    )
    .orderBy('d.created_at', 'desc')
    .orderBy('d.id', 'desc')
    .limit(askedRows)
    .execute()
  const { total } = await failed
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const { shown, nextCursor } = cutPage(rows, {
    shape: problemCursor,
    position: (row) => [row.created_at.toISOString(), row.id],
  })
  const problems = shown.map((row) => ({
    ...toRow(row, place),
    destination: {
      id: row.destination_id,
      name: row.name,
      kind: row.kind,
      isRemoved: row.removed_at !== null,
    },
  }))
  return { rows: problems, nextCursor, total }
}

function toRow(row: StoredDelivery, { slug, baseUrl }: DeliveriesOf): DeliveryRow {
  return {
    id: eventIdPrefix + row.id,
    type: row.type,
    state: row.state,
    createdAt: row.created_at.toISOString(),
    sentAt: row.sent_at?.toISOString() ?? null,
    durationMs: row.duration_ms,
    status: row.status,
    reason: row.reason,
    url: eventUrl(row.fact, { baseUrl, workspaceSlug: slug }),
  }
}
