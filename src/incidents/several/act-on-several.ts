import { ServiceError } from '../../contract/errors.ts'
import type { BulkResult } from '../../contract/incidents/bulk-result.ts'
import type { Db } from '../../database/connection.ts'
import { decideDetermination } from '../determinations/decide-determination.ts'
import { recordDetermination, type NewDetermination } from '../determinations/record-determination.ts'
import { assignIncident } from '../record/people.ts'
import { onEach, requireSameVulnerability, type BulkAct } from './on-each.ts'

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
  await requireSameVulnerability(db, act.workspaceId, ids)
  return onEach(db, act, ids, ({ id }) => recordDetermination(db, { ...act, incidentId: id }, determination))
}

/** Approves the pending determination of each, except those of the asking member. Codes: `not_found`. */
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
