import { sql } from 'kysely'
import { vulnerabilityId } from '../../contract/public/public-id.ts'
import type { Tx } from '../../database/connection.ts'
import { columnOf } from '../../platform/postgres/columns.ts'
import { newId } from '../../platform/random.ts'
import { recordActs } from '../../audit/record-acts.ts'
import { memberOf, type DecisionAct, type DecisionSubject } from './decision.ts'
import type { CheckedDecision } from './decisions-input.ts'

type NewDecisions = {
  decision: CheckedDecision
  /** Of the act, by which all of them are taken back together. */
  batchId: string
  subjects: readonly DecisionSubject[]
}

/**
 * Records what a member decided, each subject once, with its audit event. A decision in force on the same subject and scope is
 * replaced and stays in the history. Call it in a transaction that holds the locks on the families' findings.
 */
export async function insertDecisions(
  tx: Tx,
  { workspaceId, actor, now }: DecisionAct,
  { decision, batchId, subjects }: NewDecisions,
): Promise<void> {
  const rows = subjects.map((subject) => ({
    ...subject,
    id: newId(now),
    versionId: decision.everyVersion ? null : subject.versionId,
  }))
  if (rows.length === 0) return
  await endReplaced(tx, { workspaceId, actor, now, everyVersion: decision.everyVersion }, rows)
  await insertRows(tx, { workspaceId, actor, now }, { decision, batchId, rows })
  const { verdict, justification, everyVersion, expiresAt } = decision
  await recordActs(
    tx,
    rows.map((row) => ({
      workspaceId,
      actor,
      at: now,
      action: 'verdict.decided',
      object: { kind: 'verdict_decision', id: row.id, name: vulnerabilityId(row.vulnerabilityId) },
      after: {
        familyId: row.familyId,
        versionId: row.versionId,
        everyVersion,
        verdict,
        justification,
        expiresAt,
      },
    })),
  )
}

type NewRows = {
  decision: CheckedDecision
  batchId: string
  rows: readonly (DecisionSubject & { id: string })[]
}

async function insertRows(
  tx: Tx,
  { workspaceId, actor, now }: DecisionAct,
  { decision, batchId, rows }: NewRows,
): Promise<void> {
  const { verdict, justification, comment, everyVersion, expiresAt } = decision
  await sql`
    insert into verdict_decision (id, workspace_id, family_id, every_version, version_id, package_key, vulnerability_id,
      verdict, justification, comment, decided_at, decided_by, decided_by_name, expires_at, batch_id)
    select n.id, ${workspaceId}, n.family_id, ${everyVersion}, n.version_id, n.package_key, n.vulnerability_id,
      ${verdict}, ${justification}, ${comment}, ${now}::timestamptz, ${memberOf(actor)}::uuid, ${actor.name},
      ${expiresAt}::timestamptz, ${batchId}::uuid
    from unnest(
      ${columnOf(rows, 'uuid', ({ id }) => id)},
      ${columnOf(rows, 'uuid', ({ familyId }) => familyId)},
      ${columnOf(rows, 'uuid', ({ versionId }) => versionId)},
      ${columnOf(rows, 'text', ({ packageKey }) => packageKey)},
      ${columnOf(rows, 'text', ({ vulnerabilityId }) => vulnerabilityId)}
    ) as n (id, family_id, version_id, package_key, vulnerability_id)`.execute(tx)
}

type Replacing = DecisionAct & { everyVersion: boolean }

/** Served by verdict_decision_standing. */
async function endReplaced(
  tx: Tx,
  { workspaceId, actor, now, everyVersion }: Replacing,
  rows: readonly (DecisionSubject & { id: string })[],
): Promise<void> {
  const names = rows.flatMap((row) => row.names.map((name) => ({ ...row, name })))
  await sql`
    update verdict_decision d
    set ended_at = ${now}::timestamptz, ended_by = ${actor.id}::uuid, ended_by_name = ${actor.name}::text, replaced_by = n.id
    from unnest(
      ${columnOf(names, 'uuid', ({ id }) => id)},
      ${columnOf(names, 'uuid', ({ familyId }) => familyId)},
      ${columnOf(names, 'uuid', ({ versionId }) => versionId)},
      ${columnOf(names, 'text', ({ packageKey }) => packageKey)},
      ${columnOf(names, 'text', ({ name }) => name)}
    ) as n (id, family_id, version_id, package_key, name)
    where d.workspace_id = ${workspaceId} and d.family_id = n.family_id and d.ended_at is null
      and d.every_version = ${everyVersion} and d.version_id is not distinct from n.version_id
      and d.package_key = n.package_key and d.vulnerability_id = n.name`.execute(tx)
}
