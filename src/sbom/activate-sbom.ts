import { ServiceError } from '../contract/errors.ts'
import type { Db, Tx } from '../database/connection.ts'
import { enqueue } from '../queue/enqueue.ts'
import { transact } from '../platform/concurrency/transact.ts'
import { recordAct, type Actor } from '../audit/record-acts.ts'
import { matchingJob } from './matching-job.ts'
import { productName } from '../products/families/product-name.ts'

type Activation = { workspaceId: string; sbomId: string; actor: Actor; now: Date }

/**
 * Makes a replaced SBOM the active one of its version again (docs/decisions/0009, "Going back"); the one that was active records its
 * successor. Until it is matched again, the version keeps the findings of the other one. Codes: `not_found`.
 */
export async function activateSbom(db: Db, { workspaceId, sbomId, actor, now }: Activation): Promise<void> {
  await transact(db, async (tx) => {
    const sbom = await withFamilyLocked(tx, workspaceId, sbomId)
    if (sbom.active) return
    await tx
      .updateTable('sbom')
      .set({ active: false, replaced_by: sbomId, replaced_at: now })
      .where('workspace_id', '=', workspaceId)
      .where('family_id', '=', sbom.family_id)
      .where('version_id', sbom.version_id === null ? 'is' : '=', sbom.version_id)
      .where('active', '=', true)
      .execute()
    await tx
      .updateTable('sbom')
      .set({ active: true, replaced_by: null, replaced_at: null, status: 'parsed', failure: null })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', sbomId)
      .execute()
    await matchAgain(tx, { workspaceId, sbomId, actor, now }, { ...sbom, action: 'sbom.activated' })
  })
}

/** The SBOM as the previous holder of its family's lock has left it: a statement that waits for a lock sees the rows of other tables as they were before. */
async function withFamilyLocked(tx: Tx, workspaceId: string, sbomId: string) {
  const ofFamily = () =>
    tx
      .selectFrom('sbom as s')
      .innerJoin('family as f', 'f.id', 's.family_id')
      .where('s.workspace_id', '=', workspaceId)
      .where('s.id', '=', sbomId)
      .where('f.deleted_at', 'is', null)
  await ofFamily().select('f.id').forNoKeyUpdate('f').execute()
  const sbom = await ofFamily()
    .leftJoin('product_version as v', 'v.id', 's.version_id')
    .select(['s.family_id', 's.version_id', 's.active', 'f.name as family', 'v.name as version'])
    .executeTakeFirst()
  if (sbom === undefined) throw new ServiceError('not_found')
  return sbom
}

/** Enqueues the matching of a failed SBOM again. Codes: `not_found`, `conflict` (it has not failed). */
export async function retrySbom(db: Db, { workspaceId, sbomId, actor, now }: Activation): Promise<void> {
  await transact(db, async (tx) => {
    const sbom = await tx
      .selectFrom('sbom as s')
      .innerJoin('family as f', 'f.id', 's.family_id')
      .leftJoin('product_version as v', 'v.id', 's.version_id')
      .select(['s.status', 's.family_id', 'f.name as family', 'v.name as version'])
      .where('s.workspace_id', '=', workspaceId)
      .where('s.id', '=', sbomId)
      .forNoKeyUpdate('s')
      .executeTakeFirst()
    if (sbom === undefined) throw new ServiceError('not_found')
    if (sbom.status !== 'failed') {
      throw new ServiceError('conflict', { message: 'Only an SBOM whose matching failed can be run again.' })
    }
    await tx
      .updateTable('sbom')
      .set({ status: 'parsed', failure: null })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', sbomId)
      .execute()
    await matchAgain(tx, { workspaceId, sbomId, actor, now }, { ...sbom, action: 'sbom.matching_ordered' })
  })
}

type Ordered = {
  action: 'sbom.activated' | 'sbom.matching_ordered'
  family_id: string
  family: string
  version: string | null
}

/** Records the act and enqueues the job that matches the SBOM. */
async function matchAgain(
  tx: Tx,
  { workspaceId, sbomId, actor, now }: Activation,
  { action, family_id: familyId, family, version }: Ordered,
): Promise<void> {
  await recordAct(tx, {
    workspaceId,
    actor,
    at: now,
    action,
    object: { kind: 'sbom', id: sbomId, name: productName(family, version) },
  })
  await enqueue(tx, matchingJob({ workspaceId, familyId, sbomId, now }))
}
