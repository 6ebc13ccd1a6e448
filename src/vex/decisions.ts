import { sql } from 'kysely'
import type { Decision, DecisionState } from '../contract/verdict.ts'
import type { Justification, Verdict } from '../contract/vex.ts'
import type { Db, Tx } from '../database/connection.ts'
import { enqueue } from '../platform/jobs/enqueue.ts'
import { columnOf } from '../platform/postgres/columns.ts'
import { newId } from '../platform/random.ts'
import { recordAct, type Actor } from '../workspace/audit.ts'
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

/**
 * Records what a member decided, each subject once, with its audit event. A decision that stands on the same subject and scope is
 * replaced and stays in the history. Call it in a transaction that holds the locks on the families' findings.
 */
export async function insertDecisions(
  tx: Tx,
  { workspaceId, actor, now }: Act,
  { decision, subjects }: { decision: CheckedDecision; subjects: readonly DecisionSubject[] },
): Promise<void> {
  const decidedBy = memberOf(actor)
  const rows = subjects.map((subject) => ({
    ...subject,
    id: newId(now),
    versionId: decision.everyVersion ? null : subject.versionId,
  }))
  if (rows.length === 0) return
  await endReplaced(tx, { workspaceId, actor, now, everyVersion: decision.everyVersion }, rows)
  await tx
    .insertInto('verdict_decision')
    .values(
      rows.map((row) => ({
        id: row.id,
        workspace_id: workspaceId,
        family_id: row.familyId,
        every_version: decision.everyVersion,
        version_id: row.versionId,
        package_key: row.packageKey,
        vulnerability_id: row.vulnerabilityId,
        verdict: decision.verdict,
        justification: decision.justification,
        comment: decision.comment,
        decided_at: now,
        decided_by: decidedBy,
        decided_by_name: actor.name,
        expires_at: decision.expiresAt,
      })),
    )
    .execute()
  for (const row of rows) {
    const { verdict, justification, everyVersion, expiresAt } = decision
    await recordAct(tx, {
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
    })
  }
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

export type StandingRow = {
  familyId: string
  everyVersion: boolean
  versionId: string | null
  vulnerabilityId: string
}

/** Locks a decision that stands at this time; undefined when it does not, or when the workspace has none of this id. */
export async function lockStandingDecision(
  tx: Tx,
  { workspaceId, decisionId, now }: { workspaceId: string; decisionId: string; now: Date },
): Promise<StandingRow | undefined> {
  return tx
    .selectFrom('verdict_decision')
    .select([
      'family_id as familyId',
      'every_version as everyVersion',
      'version_id as versionId',
      'vulnerability_id as vulnerabilityId',
    ])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', decisionId)
    .where('ended_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .forUpdate()
    .executeTakeFirst()
}

/** Ends a decision that stands, with its audit event. What it replaced stays replaced. */
export async function endDecision(
  tx: Tx,
  { workspaceId, decisionId, actor, now }: Act & { decisionId: string },
  { vulnerabilityId }: StandingRow,
): Promise<void> {
  await tx
    .updateTable('verdict_decision')
    .set({ ended_at: now, ended_by: memberOf(actor), ended_by_name: actor.name })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', decisionId)
    .execute()
  await recordAct(tx, {
    workspaceId,
    actor,
    at: now,
    action: 'verdict.revoked',
    object: { kind: 'verdict_decision', id: decisionId, name: vulnerabilityId },
  })
}

/** The family of a decision; undefined when the workspace has none of this id. */
export async function selectDecisionFamily(
  db: Db,
  workspaceId: string,
  decisionId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('verdict_decision')
    .select('family_id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', decisionId)
    .executeTakeFirst()
  return row?.family_id
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
}

/** What members decided on a subject, ended decisions included, the newest first; at most 100. Index verdict_decision_history. */
export async function selectDecisions(
  db: Db,
  { workspaceId, now }: { workspaceId: string; now: Date },
  { familyId, versionId, packageKey, names }: Omit<DecisionSubject, 'vulnerabilityId'>,
): Promise<Decision[]> {
  const { rows } = await sql<StoredDecision>`
    select d.id, d.verdict, d.justification, d.comment, d.every_version, p.name as version, d.decided_by_name, d.decided_at,
      d.expires_at, d.ended_at, d.ended_by_name, d.replaced_by
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
  }
}

/** One that had expired before a later decision took its place has expired. */
function stateOf({ ended_at, expires_at, replaced_by }: StoredDecision, now: Date): DecisionState {
  const until = ended_at ?? now
  if (expires_at !== null && expires_at <= until) return 'expired'
  if (ended_at === null) return 'in_force'
  return replaced_by === null ? 'revoked' : 'replaced'
}

/** Orders a refresh of the families with a finding whose verdict is a decision that has expired. Index finding_decision. */
export async function refreshExpired(db: Db, now: Date): Promise<void> {
  const { rows } = await sql<{ workspaceId: string; familyId: string }>`
    select distinct d.workspace_id as "workspaceId", d.family_id as "familyId"
    from verdict_decision d
    join family f on f.id = d.family_id and f.archived_at is null and f.deleted_at is null
    where d.expires_at <= ${now}::timestamptz
      and exists (select from finding where verdict_decision_id = d.id and closed_at is null)
    order by 2`.execute(db)
  for (const payload of rows) {
    const { workspaceId, familyId: key } = payload
    await enqueue(db, { kind: 'refresh_findings', key, workspaceId, payload, runAt: now })
  }
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
