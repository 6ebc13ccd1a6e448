import type { Selectable } from 'kysely'
import {
  keepsAll,
  sbomRetentionLimits,
  type KeptSbomRetention,
  type SbomRetention,
} from '../../contract/sbom/retention.ts'
import { recordAct, type Actor } from '../../audit/record-acts.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import type { Tables } from '../../database/tables.ts'
import { InputReader } from '../../platform/input-reader.ts'
import { lockFamily } from '../../products/families/lock-family.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'

type Row = Selectable<Tables['sbom_retention']>

/** How long a family keeps SBOMs that were replaced: all of them, unless it was changed. */
export async function selectSbomRetention(db: Db, family: FamilyKey): Promise<KeptSbomRetention> {
  const row = await selectRow(db, family)
  return {
    ...retentionOf(row),
    craLiftedAt: row?.cra_lifted_at?.toISOString() ?? null,
    craLiftedBy: row?.cra_lifted_by_name ?? null,
    changedAt: row?.changed_at.toISOString() ?? null,
    changedBy: row?.changed_by_name ?? null,
  }
}

async function selectRow(db: Db, { workspaceId, familyId }: FamilyKey): Promise<Row | undefined> {
  return db
    .selectFrom('sbom_retention')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('family_id', '=', familyId)
    .executeTakeFirst()
}

function retentionOf(row: Row | undefined): SbomRetention {
  if (row === undefined) return keepsAll
  return { keep: row.keep, amount: row.amount, isCraLifted: row.cra_lifted_at !== null }
}

/**
 * Changes how long a family keeps SBOMs that were replaced. Who decided, and when, that CRA Art. 13(13) does not require keeping them stays
 * with the setting while that applies. Codes: `not_found`, `invalid_request`.
 */
export async function changeSbomRetention(
  db: Db,
  act: FamilyKey & { actor: Actor; now: Date },
  given: SbomRetention,
): Promise<void> {
  const after = readSbomRetention(given)
  await transact(db, async (tx) => {
    const { name } = await lockFamily(tx, act)
    const row = await selectRow(tx, act)
    const before = retentionOf(row)
    if (JSON.stringify(before) === JSON.stringify(after)) return
    await store(tx, { ...act, row }, after)
    await recordAct(tx, {
      workspaceId: act.workspaceId,
      actor: act.actor,
      at: act.now,
      action: 'family.sbom_retention_changed',
      object: { kind: 'family', id: act.familyId, name },
      before,
      after,
    })
  })
}

/** The setting as it is kept. Code: `invalid_request` with what is wrong. */
export function readSbomRetention({ keep, amount, isCraLifted }: SbomRetention): SbomRetention {
  if (keep === 'all') return keepsAll
  const max = sbomRetentionLimits[keep]
  const input = new InputReader()
  if (amount === null || !Number.isInteger(amount) || amount < 1 || amount > max)
    input.refuse('amount', `A whole number from 1 to ${max} is required.`)
  input.finish()
  return { keep, amount, isCraLifted }
}

type Storing = FamilyKey & { actor: Actor; now: Date; row: Row | undefined }

async function store(
  tx: Tx,
  { workspaceId, familyId, actor, now, row }: Storing,
  { keep, amount, isCraLifted }: SbomRetention,
): Promise<void> {
  const columns = {
    keep,
    amount,
    cra_lifted_at: isCraLifted ? (row?.cra_lifted_at ?? now) : null,
    cra_lifted_by_name: isCraLifted ? (row?.cra_lifted_by_name ?? actor.name) : null,
    changed_at: now,
    changed_by_name: actor.name,
  }
  await tx
    .insertInto('sbom_retention')
    .values({ family_id: familyId, workspace_id: workspaceId, ...columns })
    .onConflict((conflict) => conflict.column('family_id').doUpdateSet(columns))
    .execute()
}
