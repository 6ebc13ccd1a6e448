import { sql } from 'kysely'
import { vulnerabilityId as nameOf } from '../../contract/public/public-id.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'
import { enqueueRefresh } from '../../workspace/monitoring/enqueue-refresh.ts'
import { recordActs } from '../../audit/record-acts.ts'
import { memberOf, type DecisionAct } from './decision.ts'

/** One decision, or all that were recorded in one act. */
export type DecisionChoice = { decisionId: string } | { batchId: string }

export type StandingRow = {
  id: string
  familyId: string
  everyVersion: boolean
  versionId: string | null
  vulnerabilityId: string
}

/** Locks the decisions of a choice that are in force at this time, in the order of their ids. Index verdict_decision_batch. */
export async function lockStandingDecisions(
  tx: Tx,
  { workspaceId, choice, now }: { workspaceId: string; choice: DecisionChoice; now: Date },
): Promise<StandingRow[]> {
  return chosen(tx, workspaceId, choice)
    .select([
      'id',
      'family_id as familyId',
      'every_version as everyVersion',
      'version_id as versionId',
      'vulnerability_id as vulnerabilityId',
    ])
    .where('ended_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

function chosen(db: Db, workspaceId: string, choice: DecisionChoice) {
  const decisions = db.selectFrom('verdict_decision').where('workspace_id', '=', workspaceId)
  return 'batchId' in choice
    ? decisions.where('batch_id', '=', choice.batchId)
    : decisions.where('id', '=', choice.decisionId)
}

/** Ends decisions in force, with their audit events. What they replaced stays replaced. */
export async function endDecisions(
  tx: Tx,
  { workspaceId, actor, now }: DecisionAct,
  standing: readonly StandingRow[],
): Promise<void> {
  await tx
    .updateTable('verdict_decision')
    .set({ ended_at: now, ended_by: memberOf(actor), ended_by_name: actor.name })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<string>`any(${standing.map(({ id }) => id)}::uuid[])`)
    .execute()
  await recordEach(tx, { workspaceId, actor, now }, { action: 'verdict.revoked', decisions: standing })
}

/** Puts the decisions that these replaced in force again, where they have not expired meanwhile. */
export async function restoreReplaced(
  tx: Tx,
  { workspaceId, actor, now }: DecisionAct,
  ended: readonly StandingRow[],
): Promise<void> {
  const { rows } = await sql<{ id: string; vulnerabilityId: string }>`
    update verdict_decision
    set ended_at = null, ended_by = null, ended_by_name = null, replaced_by = null
    where workspace_id = ${workspaceId} and replaced_by = any(${ended.map(({ id }) => id)}::uuid[])
      and family_id = any(${ended.map(({ familyId }) => familyId)}::uuid[])
      and (expires_at is null or expires_at > ${now}::timestamptz)
    returning id, vulnerability_id as "vulnerabilityId"`.execute(tx)
  await recordEach(tx, { workspaceId, actor, now }, { action: 'verdict.restored', decisions: rows })
}

type Recorded = {
  action: 'verdict.revoked' | 'verdict.restored'
  decisions: readonly { id: string; vulnerabilityId: string }[]
}

async function recordEach(
  tx: Tx,
  { workspaceId, actor, now }: DecisionAct,
  { action, decisions }: Recorded,
): Promise<void> {
  await recordActs(
    tx,
    decisions.map(({ id, vulnerabilityId }) => ({
      workspaceId,
      actor,
      at: now,
      action,
      object: { kind: 'verdict_decision', id, name: nameOf(vulnerabilityId) },
    })),
  )
}

/** The families of the decisions of a choice, in the order of their ids; empty when the workspace has none. */
export async function selectDecisionFamilies(
  db: Db,
  workspaceId: string,
  choice: DecisionChoice,
): Promise<string[]> {
  const rows = await chosen(db, workspaceId, choice)
    .select('family_id')
    .distinct()
    .orderBy('family_id')
    .execute()
  return rows.map((row) => row.family_id)
}

/**
 * Scheduled: ends the decisions whose date has come, and enqueues a refresh of their families. A decision may count where no finding names it: for
 * a notice of several CVEs, on one that has no finding of its own any more.
 */
export async function refreshExpired(db: Db, now: Date): Promise<void> {
  await transact(db, async (tx) => {
    const { rows } = await sql<FamilyKey>`
      with ended as (
        update verdict_decision d
        set ended_at = d.expires_at
        from family f
        where d.ended_at is null and d.expires_at <= ${now}::timestamptz
          and f.id = d.family_id and f.archived_at is null and f.deleted_at is null
        returning d.workspace_id, d.family_id
      )
      select distinct workspace_id as "workspaceId", family_id as "familyId" from ended order by 2`.execute(
      tx,
    )
    for (const family of rows) await enqueueRefresh(tx, family, now)
  })
}
