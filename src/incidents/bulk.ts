import type { IncidentReference } from '../contract/incidents/reference.ts'
import { ServiceError } from '../contract/errors.ts'
import type { BulkResult } from '../contract/incidents.ts'
import type { Db } from '../database/connection.ts'
import { uuidList } from '../platform/postgres/columns.ts'
import { isId } from '../platform/random.ts'
import { sql } from 'kysely'
import { decideDetermination } from './determinations/decide-determination.ts'
import { recordDetermination, type NewDetermination } from './determinations/record-determination.ts'
import type { PersonActor } from './record/lock-incident.ts'
import { assignIncident } from './record/people.ts'

type BulkAct = { workspaceId: string; actor: PersonActor; now: Date }

type Chosen = { id: string; reference: IncidentReference; vuln_key: string | null; pending: string | null }

/** Gives each incident to a member, or to nobody. Codes: `not_found` (one is unknown). */
export async function assignIncidents(
  db: Db,
  act: BulkAct,
  { ids, personId }: { ids: readonly string[]; personId: string | null },
): Promise<BulkResult> {
  return onEach(db, act, ids, ({ id }) => assignIncident(db, { ...act, incidentId: id }, personId))
}

/**
 * Records one determination with one reasoning on incidents about the same vulnerability. Codes: `not_found`, `invalid_request` (they are about
 * several, or the determination is not right).
 */
export async function recordDeterminations(
  db: Db,
  act: BulkAct,
  { ids, determination }: { ids: readonly string[]; determination: NewDetermination },
): Promise<BulkResult> {
  const keys = new Set((await selectChosen(db, act.workspaceId, ids)).map(({ vuln_key }) => vuln_key))
  if (keys.size > 1 || keys.has(null)) {
    throw new ServiceError('invalid_request', {
      fields: {
        incidents: 'One reasoning covers one vulnerability: choose incidents about the same one.',
      },
    })
  }
  return onEach(db, act, ids, ({ id }) => recordDetermination(db, { ...act, incidentId: id }, determination))
}

/** Approves the determination of each that waits, those of whoever asks excepted. Codes: `not_found`. */
export async function approveDeterminations(
  db: Db,
  act: BulkAct,
  { ids, comment }: { ids: readonly string[]; comment?: string },
): Promise<BulkResult> {
  return onEach(db, act, ids, async ({ id, pending }) => {
    if (pending === null)
      throw new ServiceError('conflict', { message: 'No determination waits for approval.' })
    const decision = { approve: true, ...(comment === undefined ? {} : { comment }) }
    await decideDetermination(db, { ...act, incidentId: id, determinationId: pending }, decision)
  })
}

/** Each in a transaction of its own: what is refused on one is said by its name, and the others are done. */
async function onEach(
  db: Db,
  { workspaceId }: BulkAct,
  ids: readonly string[],
  act: (incident: Chosen) => Promise<unknown>,
): Promise<BulkResult> {
  const result: BulkResult = { done: [], refused: [] }
  for (const incident of await selectChosen(db, workspaceId, ids)) {
    try {
      await act(incident)
      result.done.push(incident.id)
    } catch (error) {
      if (!isRefusalOfOne(error)) throw error
      const { id, reference } = incident
      result.refused.push({ id, reference, reason: error.message })
    }
  }
  return result
}

/** What is wrong with the input itself is wrong for all of them. */
function isRefusalOfOne(error: unknown): error is ServiceError {
  return error instanceof ServiceError && (error.code === 'conflict' || error.code === 'forbidden')
}

/** In the order of their references, each with its determination of the CRA scope that waits. Codes: `not_found`. */
async function selectChosen(db: Db, workspaceId: string, ids: readonly string[]): Promise<Chosen[]> {
  const distinct = [...new Set(ids)]
  if (!distinct.every(isId)) throw new ServiceError('not_found')
  const { rows } = await sql<Chosen>`
    select i.id, i.reference, i.vuln_key, d.id as pending
    from incident i
    left join determination d on d.incident_id = i.id and d.scope = 'cra' and d.state = 'pending'
    where i.workspace_id = ${workspaceId} and i.id = any(${uuidList(distinct)})
    order by i.reference`.execute(db)
  if (rows.length < distinct.length) throw new ServiceError('not_found')
  return rows
}
