import { sql } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import type { IncidentReference } from '../../contract/incidents/reference.ts'
import type { BulkResult } from '../../contract/incidents/bulk-result.ts'
import type { Db } from '../../database/connection.ts'
import { uuidList } from '../../platform/postgres/columns.ts'
import { isId } from '../../platform/random.ts'
import { isOnSameVulnerability } from '../record/linked.ts'
import type { PersonActor } from '../record/lock-incident.ts'

export type BulkAct = { workspaceId: string; actor: PersonActor; now: Date }

/** A chosen incident, with its pending determination of the CRA scope. */
export type Chosen = {
  id: string
  reference: IncidentReference
  vulnKey: string | null
  pending: string | null
}

/**
 * Does an act on each incident, in the order of their references, each in a transaction of its own: a refusal on one names it, and the others
 * are done. Codes: `not_found` (one is unknown), and those of input that is wrong for every one.
 */
export async function onEach(
  db: Db,
  { workspaceId }: BulkAct,
  ids: readonly string[],
  act: (incident: Chosen) => Promise<unknown>,
): Promise<BulkResult> {
  const result: BulkResult = { done: [], refused: [] }
  const wrong: ServiceError[] = []
  for (const incident of await selectChosen(db, workspaceId, ids)) {
    try {
      await act(incident)
      result.done.push(incident.id)
    } catch (error) {
      if (!isRefusalOfOne(error)) throw error
      if (error.code === 'invalid_request') wrong.push(error)
      const { id, reference } = incident
      result.refused.push({ id, reference, reason: wordsOf(error) })
    }
  }
  const [first] = wrong
  if (first !== undefined && result.done.length === 0 && wrong.length === result.refused.length) throw first
  return result
}

/** A time may be too early for one of them and late for another, so `invalid_request` can be about a single one. */
function isRefusalOfOne(error: unknown): error is ServiceError {
  return error instanceof ServiceError && ['conflict', 'forbidden', 'invalid_request'].includes(error.code)
}

function wordsOf({ fields, message }: ServiceError): string {
  return fields === undefined ? message : Object.values(fields).join(' ')
}

async function selectChosen(db: Db, workspaceId: string, ids: readonly string[]): Promise<Chosen[]> {
  const distinct = [...new Set(ids)]
  if (!distinct.every(isId)) throw new ServiceError('not_found')
  const { rows } = await sql<Chosen>`
    select i.id, i.reference, i.vuln_key as "vulnKey", d.id as pending
    from incident i
    left join determination d on d.incident_id = i.id and d.scope = 'cra' and d.state = 'pending'
    where i.workspace_id = ${workspaceId} and i.id = any(${uuidList(distinct)})
    order by i.reference`.execute(db)
  if (rows.length < distinct.length) throw new ServiceError('not_found')
  return rows
}

/**
 * Refuses incidents that are not all about one vulnerability (the same id, or ids that turned out to be the same); drills only go with
 * drills. Codes: `not_found`, `invalid_request`.
 */
export async function requireSameVulnerability(
  db: Db,
  workspaceId: string,
  ids: readonly string[],
): Promise<void> {
  const chosen = await selectChosen(db, workspaceId, ids)
  const [first] = chosen
  const others = first === undefined || first.vulnKey === null ? [] : await selectSame(db, workspaceId, first)
  const same = new Set([first?.id, ...others])
  if (first?.vulnKey !== null && chosen.every(({ id }) => same.has(id))) return
  throw new ServiceError('invalid_request', {
    fields: { incidents: 'One act covers one vulnerability: choose incidents about the same one.' },
  })
}

async function selectSame(db: Db, workspaceId: string, { id, vulnKey }: Chosen): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select i.id from incident i
    join incident f on f.id = ${id} and f.kind = i.kind and f.is_exercise = i.is_exercise
    where i.workspace_id = ${workspaceId} and ${isOnSameVulnerability({ id, vulnKey })}`.execute(db)
  return rows.map((row) => row.id)
}
