import type { AuditAction } from '../../contract/audit/shapes.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { enqueue } from '../../queue/enqueue.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { isTaken } from '../../platform/postgres/store-error.ts'
import { recordAct, type Actor } from '../../audit/record-acts.ts'
import { familyName, nameTaken } from './create-family.ts'
import { removeBadge } from './family-badge.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'
import { enqueueOpenings } from '../../workspace/monitoring/enqueue-openings.ts'
import { enqueueRefresh } from '../../workspace/monitoring/enqueue-refresh.ts'
import { lockFamily } from './lock-family.ts'

type FamilyAct = FamilyKey & { actor: Actor; now: Date }

/** Renames a family; the name that it has changes nothing. Codes: `not_found`, `invalid_request`. */
export async function renameFamily(db: Db, act: FamilyAct & { name: string }): Promise<void> {
  const name = familyName(act.name)
  try {
    await transact(db, (tx) => renameInside(tx, act, name))
  } catch (error) {
    // only the index sees a concurrent change to the same name
    if (!isTaken(error, 'family_name')) throw error
    throw nameTaken()
  }
}

async function renameInside(tx: Tx, act: FamilyAct, name: string): Promise<void> {
  const family = await lockFamily(tx, act)
  if (family.name === name) return
  await tx.updateTable('family').set({ name }).where('id', '=', act.familyId).execute()
  await recordAct(tx, {
    ...audit(act, 'family.renamed', name),
    before: { name: family.name },
    after: { name },
  })
}

/** Archives a family: its tokens leave the list and answer 401 until it is restored. Codes: `not_found`. */
export async function archiveFamily(db: Db, act: FamilyAct): Promise<void> {
  await transact(db, async (tx) => {
    const family = await lockFamily(tx, act)
    if (family.archived_at !== null) return
    await tx.updateTable('family').set({ archived_at: act.now }).where('id', '=', act.familyId).execute()
    await recordAct(tx, audit(act, 'family.archived', family.name))
  })
}

/** Takes an archived family back; its tokens work again unless expired or revoked meanwhile. Codes: `not_found`. */
export async function restoreFamily(db: Db, act: FamilyAct): Promise<void> {
  await transact(db, async (tx) => {
    const family = await lockFamily(tx, act)
    if (family.archived_at === null) return
    await tx.updateTable('family').set({ archived_at: null }).where('id', '=', act.familyId).execute()
    await recordAct(tx, audit(act, 'family.restored', family.name))
    await enqueueRefresh(tx, act, act.now)
    await enqueueOpenings(tx, [act], { now: act.now })
  })
}

/**
 * Deletes an archived family whose name was typed: its SBOMs, VEX documents and findings go (by a job), token rows stay and
 * answer 404, the audit trail stays. Codes: `not_found`, `conflict` (not archived), `invalid_request` (name differs).
 */
export async function deleteFamily(db: Db, act: FamilyAct & { confirmName: string }): Promise<void> {
  await transact(db, async (tx) => {
    const family = await lockFamily(tx, act)
    if (family.archived_at === null) {
      throw new ServiceError('conflict', {
        message: 'Only archived families can be deleted. Archive it first.',
      })
    }
    if (act.confirmName.trim() !== family.name) {
      throw new ServiceError('invalid_request', {
        fields: { confirmName: 'Type the name of the family to delete it.' },
      })
    }
    await tx.updateTable('family').set({ deleted_at: act.now }).where('id', '=', act.familyId).execute()
    await removeBadge(tx, act)
    await recordAct(tx, audit(act, 'family.deleted', family.name))
    await enqueue(tx, {
      kind: 'purge_family',
      key: act.familyId,
      workspaceId: act.workspaceId,
      payload: { workspaceId: act.workspaceId, familyId: act.familyId },
      runAt: act.now,
    })
  })
}

function audit(act: FamilyAct, action: AuditAction, name: string): Parameters<typeof recordAct>[1] {
  return {
    workspaceId: act.workspaceId,
    actor: act.actor,
    at: act.now,
    action,
    object: { kind: 'family', id: act.familyId, name },
  }
}
