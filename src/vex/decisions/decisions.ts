import { sql } from 'kysely'
import type { Decision, DecisionState } from '../../contract/verdict.ts'
import type { Justification, Verdict } from '../../contract/vex.ts'
import type { Db, Tx } from '../../database/connection.ts'
import type { FamilyKey } from '../../workspace/families/family-key.ts'
import { enqueueRefreshes } from '../../workspace/families/enqueue-refresh.ts'
import { columnOf } from '../../platform/postgres/columns.ts'
import { newId } from '../../platform/random.ts'
import { recordActs, type Actor } from '../../workspace/audit.ts'
import type { CheckedDecision } from './decisions-input.ts'

/** What a decision is about: a vulnerability on a package, in one version of a family or in all of them. */
export type DecisionSubject = {
  familyId: string
  versionId: string | null
  packageKey: string
  /** The name of the vulnerability now, and every id that earlier decisions may know it by. */
  vulnerabilityId: string
  names: readonly string[]
}

type Act = { workspaceId: string; actor: Actor; now: Date }

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
  { workspaceId, actor, now }: Act,
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
      object: { kind: 'verdict_decision', id: row.id, name: row.vulnerabilityId },
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
  { workspaceId, actor, now }: Act,
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

type Replacing = Act & { everyVersion: boolean }

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
    .forUpdate()
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
  { workspaceId, actor, now }: Act,
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
  { workspaceId, actor, now }: Act,
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
  { workspaceId, actor, now }: Act,
  { action, decisions }: Recorded,
): Promise<void> {
  await recordActs(
    tx,
    decisions.map(({ id, vulnerabilityId }) => ({
      workspaceId,
      actor,
      at: now,
      action,
      object: { kind: 'verdict_decision', id, name: vulnerabilityId },
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

const shownDecisions = 100

type StoredDecision = {
  id: string
  verdict: Verdict
  justification: Justification | null
  comment: string
  every_version: boolean
  version: string | null
  decided_by_name: string
  decided_at: Date
  expires_at: Date | null
  ended_at: Date | null
  ended_by_name: string | null
  replaced_by: string | null
  batch_id: string | null
  together: number
}

/** What members decided on a subject, ended decisions included, the newest first; at most 100. Index verdict_decision_history. */
export async function selectDecisions(
  db: Db,
  { workspaceId, now }: { workspaceId: string; now: Date },
  { familyId, versionId, packageKey, names }: Omit<DecisionSubject, 'vulnerabilityId'>,
): Promise<Decision[]> {
  const { rows } = await sql<StoredDecision>`
    select d.id, d.verdict, d.justification, d.comment, d.every_version, p.name as version, d.decided_by_name, d.decided_at,
      d.expires_at, d.ended_at, d.ended_by_name, d.replaced_by, d.batch_id, (
        select count(*) from verdict_decision b
        where b.batch_id = d.batch_id and b.workspace_id = d.workspace_id and b.ended_at is null
          and (b.expires_at is null or b.expires_at > ${now}::timestamptz)
      ) as together
    from verdict_decision d
    left join product_version p on p.id = d.version_id
    where d.workspace_id = ${workspaceId} and d.family_id = ${familyId} and d.package_key = ${packageKey}
      and d.vulnerability_id = any(${names}::text[])
      and (d.every_version or d.version_id is not distinct from ${versionId}::uuid)
    order by d.decided_at desc, d.id desc
    limit ${shownDecisions}`.execute(db)
  return rows.map((row) => toDecision(row, now))
}

function toDecision(row: StoredDecision, now: Date): Decision {
  const state = stateOf(row, now)
  const endedAt = state === 'expired' ? row.expires_at : row.ended_at
  return {
    id: row.id,
    verdict: row.verdict,
    justification: row.justification,
    comment: row.comment,
    everyVersion: row.every_version,
    version: row.version,
    decidedBy: row.decided_by_name,
    decidedAt: row.decided_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    state,
    endedAt: endedAt?.toISOString() ?? null,
    endedBy: row.ended_by_name,
    batch: row.batch_id === null ? null : { id: row.batch_id, inForce: row.together },
  }
}

/** One that had expired before a later decision took its place has expired. */
function stateOf({ ended_at, expires_at, replaced_by }: StoredDecision, now: Date): DecisionState {
  const until = ended_at ?? now
  if (expires_at !== null && expires_at <= until) return 'expired'
  if (ended_at === null) return 'in_force'
  return replaced_by === null ? 'revoked' : 'replaced'
}

/** Scheduled: enqueues a refresh of the families with a finding whose verdict is a decision that has expired. Index finding_decision. */
export async function refreshExpired(db: Db, now: Date): Promise<void> {
  const { rows } = await sql<FamilyKey>`
    select distinct d.workspace_id as "workspaceId", d.family_id as "familyId"
    from verdict_decision d
    join family f on f.id = d.family_id and f.archived_at is null and f.deleted_at is null
    where d.expires_at <= ${now}::timestamptz
      and exists (select from finding where verdict_decision_id = d.id and closed_at is null)
    order by 2`.execute(db)
  await enqueueRefreshes(db, rows, now)
}

/** Removes the decisions on a deleted family, and what its BOM-Links were found to mean. Call it after its findings are removed. */
export async function purgeFamilyVerdicts(db: Db, workspaceId: string, familyId: string): Promise<void> {
  for (const table of ['verdict_decision', 'vex_link'] as const) {
    await db
      .deleteFrom(table)
      .where('workspace_id', '=', workspaceId)
      .where('family_id', '=', familyId)
      .execute()
  }
}

function memberOf({ kind, id }: Actor): string {
  if (kind !== 'person' || id === null) throw new Error('only members decide')
  return id
}
