import { ServiceError } from '../../contract/errors.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { randomText } from '../../platform/random.ts'
import { recordAct, type Actor } from '../../audit/record-acts.ts'
import { type PlanAndDates, stateColumnsOfW } from '../../workspace/state.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'
import { lockFamily } from './lock-family.ts'

type BadgeAct = FamilyKey & { actor: Actor; now: Date }

/** As long as other secrets in addresses, which the log leaves out. */
const secretBytes = 32

/** The secret in the public address of a family's badge; undefined while it is switched off. */
export async function selectBadgeSecret(
  db: Db,
  { workspaceId, familyId }: FamilyKey,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('family_badge')
    .select('secret')
    .where('workspace_id', '=', workspaceId)
    .where('family_id', '=', familyId)
    .executeTakeFirst()
  return row?.secret
}

/** The family whose badge has a secret, with what its workspace's state follows from; none of an archived or deleted family. */
export async function findBadge(db: Db, secret: string): Promise<(FamilyKey & PlanAndDates) | undefined> {
  return db
    .selectFrom('family_badge as b')
    .innerJoin('family as f', 'f.id', 'b.family_id')
    .innerJoin('workspace as w', 'w.id', 'b.workspace_id')
    .select(['b.workspace_id as workspaceId', 'b.family_id as familyId', ...stateColumnsOfW])
    .where('b.secret', '=', secret)
    .where('f.archived_at', 'is', null)
    .where('f.deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Makes a badge public under an address that is new each time; on already, it stays as it is. Codes: `not_found`, `conflict` (archived). */
export async function switchBadgeOn(db: Db, act: BadgeAct): Promise<void> {
  await transact(db, async (tx) => {
    const { name, archived_at: archivedAt } = await lockFamily(tx, act)
    if (archivedAt !== null)
      throw new ServiceError('conflict', { message: 'The product family is archived.' })
    const { workspaceId, familyId, now } = act
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('family_badge')
      .values({
        family_id: familyId,
        workspace_id: workspaceId,
        secret: randomText(secretBytes),
        created_at: now,
      })
      .onConflict((conflict) => conflict.column('family_id').doNothing())
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows === 1n) await recordAct(tx, audit(act, 'family.badge_switched_on', name))
  })
}

/** Its address is not found from then on, for good. Codes: `not_found`. */
export async function switchBadgeOff(db: Db, act: BadgeAct): Promise<void> {
  await transact(db, async (tx) => {
    const { name } = await lockFamily(tx, act)
    if (await removeBadge(tx, act)) await recordAct(tx, audit(act, 'family.badge_switched_off', name))
  })
}

/** Whether there was one. */
export async function removeBadge(tx: Tx, { workspaceId, familyId }: FamilyKey): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('family_badge')
    .where('workspace_id', '=', workspaceId)
    .where('family_id', '=', familyId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

function audit(
  { workspaceId, familyId, actor, now }: BadgeAct,
  action: 'family.badge_switched_on' | 'family.badge_switched_off',
  name: string,
): Parameters<typeof recordAct>[1] {
  return { workspaceId, actor, at: now, action, object: { kind: 'family', id: familyId, name } }
}
