import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { AuditAction, AuditEvent, AuditObjectKind } from '../../contract/audit/shapes.ts'
import { isDay } from '../../contract/calendar.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { ActorKind } from '../../contract/roles.ts'
import type { Db } from '../../database/connection.ts'
import type { Tables } from '../../database/tables.ts'

export type AuditFilters = {
  /** The id of a person or token. */
  actor?: string | undefined
  actorKind?: ActorKind | undefined
  action?: AuditAction | undefined
  objectKind?: AuditObjectKind | undefined
  object?: string | undefined
  /** Days as 2026-01-31, both included. */
  from?: string | undefined
  until?: string | undefined
}

export type AuditScope = AuditFilters & {
  workspaceId: string
  /** The time zone in which days begin and end. */
  timeZone: string
}

/** Of an event in the order of the list. */
export type AuditPosition = { at: string; id: number }

type Part = AuditScope & {
  /** The number of the only one that is wanted. */
  event?: string | undefined
  after: AuditPosition | undefined
  rows: number
}

type StoredEvent = Selectable<Tables['audit_event']>

/**
 * Events of a workspace, the newest first, after a place: acts in it, and what happened to the accounts of its members while they were
 * members. Indexes audit_event_newest, audit_event_actor, audit_event_object and audit_event_account. Codes: `invalid_request` (days).
 */
export async function selectEvents(db: Db, part: Part): Promise<AuditEvent[]> {
  const { rows } = await sql<StoredEvent>`
    select * from (${partOf(part)}) e order by at desc, id desc limit ${part.rows}`.execute(db)
  return rows.map(toEvent)
}

/** How many events there are, counted up to `max`. Codes: `invalid_request` (days). */
export async function countEvents(db: Db, scope: AuditScope, max: number): Promise<number> {
  const all = partOf({ ...scope, after: undefined, rows: max })
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select from (${all}) e limit ${max}) counted`.execute(db)
  return rows[0]?.count ?? 0
}

function partOf({ workspaceId, after, rows, ...filters }: Part): RawBuilder<unknown> {
  const fits = sql`${matches(filters)} and ${follows(after)}`
  return sql`
    (
      select a.* from audit_event a
      where a.workspace_id = ${workspaceId} and ${fits}
      order by a.at desc, a.id desc limit ${rows}
    )
    union all
    (
      select a.*
      from member m
      cross join lateral (
        select * from audit_event a
        where a.workspace_id is null and a.object_kind = 'person' and a.object_id = m.person_id::text
          and a.at >= m.created_at and a.at <= coalesce(m.removed_at, 'infinity') and ${fits}
        order by a.at desc, a.id desc limit ${rows}
      ) a
      where m.workspace_id = ${workspaceId}
    )`
}

function matches(filters: Omit<Part, 'workspaceId' | 'after' | 'rows'>): RawBuilder<boolean> {
  const { event, actor, actorKind, action, objectKind, object, from, until, timeZone } = filters
  const conditions = [sql<boolean>`true`]
  if (event !== undefined) conditions.push(sql`a.id = ${event}`)
  if (actor !== undefined) conditions.push(sql`a.actor_id = ${actor}`)
  if (actorKind !== undefined) conditions.push(sql`a.actor_kind = ${actorKind}`)
  if (action !== undefined) conditions.push(sql`a.action = ${action}`)
  if (objectKind !== undefined) conditions.push(sql`a.object_kind = ${objectKind}`)
  if (object !== undefined) conditions.push(sql`a.object_id = ${object}`)
  if (from !== undefined) conditions.push(sql`a.at >= ${startOf(day('from', from), 0, timeZone)}`)
  if (until !== undefined) conditions.push(sql`a.at < ${startOf(day('until', until), 1, timeZone)}`)
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/** When a day begins in a time zone, some days later. */
function startOf(date: string, daysLater: number, timeZone: string): RawBuilder<unknown> {
  return sql`((${date}::date + ${daysLater}::int)::timestamp at time zone ${timeZone})`
}

function day(name: 'from' | 'until', text: string): string {
  if (!isDay(text))
    throw new ServiceError('invalid_request', { fields: { [name]: 'Expected a day as 2026-01-31.' } })
  return text
}

function follows(after: AuditPosition | undefined): RawBuilder<boolean> {
  if (after === undefined) return sql<boolean>`true`
  return sql<boolean>`(a.at, a.id) < (${after.at}::timestamptz, ${after.id}::bigint)`
}

function toEvent(row: StoredEvent): AuditEvent {
  return {
    id: row.id,
    at: row.at.toISOString(),
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    action: row.action,
    object: { kind: row.object_kind, id: row.object_id, name: row.object_name },
    before: row.before,
    after: row.after,
    requestId: row.request_id,
    address: row.address,
  }
}
