import { ServiceError } from '../contract/errors.ts'
import type { AuditAction } from '../contract/audit/shapes.ts'
import type { Db, Tx } from '../database/connection.ts'
import { transact } from '../platform/concurrency/transact.ts'
import { prepared } from '../platform/postgres/prepared.ts'
import { newId } from '../platform/random.ts'
import { recordAct, type Actor } from '../audit/record-acts.ts'
import { lockFamily } from './families/lock-family.ts'
import type { FamilyKey } from '../workspace/monitoring/family-key.ts'
import { enqueueRefresh } from '../workspace/monitoring/enqueue-refresh.ts'

type VersionName = FamilyKey & { name: string }
export type NamedVersion = { id: string; retired_at: Date | null }

/** The family's product version of this name, retired or not. */
export async function selectNamedVersion(
  db: Db,
  { workspaceId, familyId, name }: VersionName,
): Promise<NamedVersion | undefined> {
  return db
    .selectFrom('product_version')
    .select(['id', 'retired_at'])
    .where('workspace_id', '=', workspaceId)
    .where('family_id', '=', familyId)
    .where('name', '=', name)
    .modifyEnd(prepared)
    .executeTakeFirst()
}

type VersionKey = VersionName & { now: Date; keepRetired?: boolean }
type KeptVersion = { id: string; isNew: boolean; wasRetired: boolean }

/**
 * The family's product version of this name, made when it is new. A version that was retired comes back, as it does with a new SBOM,
 * unless `keepRetired`.
 */
export async function selectOrInsertVersion(db: Db, key: VersionKey): Promise<KeptVersion> {
  return keepVersion(db, key, await selectNamedVersion(db, key))
}

/** The same for a version that was asked for before. */
export async function keepVersion(
  db: Db,
  { workspaceId, familyId, name, now, keepRetired = false }: VersionKey,
  known: NamedVersion | undefined,
): Promise<KeptVersion> {
  if (known === undefined) {
    const id = newId(now)
    await db
      .insertInto('product_version')
      .values({ id, workspace_id: workspaceId, family_id: familyId, name, created_at: now, retired_at: null })
      .execute()
    return { id, isNew: true, wasRetired: false }
  }
  if (known.retired_at === null || keepRetired) return { id: known.id, isNew: false, wasRetired: false }
  await db.updateTable('product_version').set({ retired_at: null }).where('id', '=', known.id).execute()
  return { id: known.id, isNew: false, wasRetired: true }
}

type VersionAct = FamilyKey & { versionId: string; actor: Actor; now: Date }

/** Retires a version: its SBOM counts as inactive and its findings close; the history stays. Codes: `not_found`. */
export async function retireVersion(db: Db, act: VersionAct): Promise<void> {
  await changeVersion(db, act, { action: 'version.retired', retiredAt: act.now })
}

/** Takes a retired version back: its SBOM is active again. Codes: `not_found`. */
export async function restoreVersion(db: Db, act: VersionAct): Promise<void> {
  await changeVersion(db, act, { action: 'version.restored', retiredAt: null })
}

async function changeVersion(
  db: Db,
  { workspaceId, familyId, versionId, actor, now }: VersionAct,
  change: { action: AuditAction; retiredAt: Date | null },
): Promise<void> {
  await transact(db, async (tx) => {
    const version = await lockVersion(tx, { workspaceId, familyId, versionId })
    if ((version.retired_at === null) === (change.retiredAt === null)) return
    await tx
      .updateTable('product_version')
      .set({ retired_at: change.retiredAt })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', versionId)
      .execute()
    await recordAct(tx, {
      workspaceId,
      actor,
      at: now,
      action: change.action,
      object: { kind: 'version', id: versionId, name: version.name },
    })
    await enqueueRefresh(tx, { workspaceId, familyId }, now)
  })
}

/** A version of a family whose acts, uploads among them, come one after the other until the transaction ends. Codes: `not_found`. */
async function lockVersion(
  tx: Tx,
  { workspaceId, familyId, versionId }: FamilyKey & { versionId: string },
): Promise<{ name: string; retired_at: Date | null }> {
  await lockFamily(tx, { workspaceId, familyId })
  const version = await tx
    .selectFrom('product_version')
    .select(['name', 'retired_at'])
    .where('workspace_id', '=', workspaceId)
    .where('family_id', '=', familyId)
    .where('id', '=', versionId)
    .executeTakeFirst()
  if (version === undefined) throw new ServiceError('not_found')
  return version
}

/** Marks the version that stands for the family where one is needed. Codes: `not_found`, `conflict` (retired). */
export async function setCurrentVersion(db: Db, act: VersionAct): Promise<void> {
  await transact(db, async (tx) => {
    const version = await lockVersion(tx, act)
    if (version.retired_at !== null) {
      throw new ServiceError('conflict', { message: 'This version is retired. Restore it first.' })
    }
    const { numUpdatedRows } = await tx
      .updateTable('family')
      .set({ current_version_id: act.versionId })
      .where('workspace_id', '=', act.workspaceId)
      .where('id', '=', act.familyId)
      .where('current_version_id', 'is distinct from', act.versionId)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    await recordAct(tx, {
      workspaceId: act.workspaceId,
      actor: act.actor,
      at: act.now,
      action: 'version.made_current',
      object: { kind: 'version', id: act.versionId, name: version.name },
    })
  })
}
