import { sql } from 'kysely'
import type { Db, Tx } from '../../database/connection.ts'
import { columnOf } from '../../platform/postgres/columns.ts'
import type { BindingProduct } from '../../vex/binding/bind-carrier.ts'
import { BoundStatements, type StatementTarget } from '../../vex/binding/bind-statements.ts'
import { readComponent } from '../../vex/binding/bind-target.ts'
import {
  claimOfComponents,
  compareDecisions,
  type Claim,
  type StandingDecision,
} from '../../vex/decisions/decide-verdict.ts'
import { noProduct, selectBindingProducts } from './binding-product.ts'
import { isUnderIncident } from '../under-incident.ts'
import { isSettled } from './settled.ts'
import {
  mayHaveVerdicts,
  selectJudged,
  selectJudgedComponents,
  selectNoticeParts,
  selectNoticesAbout,
  selectStandingDecisions,
  selectStatementTargets,
  type GroupChoice,
  type JudgedFinding,
  type JudgedSubject,
} from './verdict-facts.ts'
import { enqueueOpenings } from '../../workspace/monitoring/enqueue-openings.ts'
import { isSbomOf, type VersionSlot, type VersionView } from '../version-slot.ts'

/**
 * The maximum of comparisons between targets and components in one version. Real documents stay far below; a hostile one must not
 * block a worker, and its excess leaves findings open.
 */
export const maxComparisons = 5_000_000

export type StoredVerdict = Pick<
  JudgedFinding,
  'verdict' | 'justification' | 'decision_id' | 'document_id' | 'statement' | 'since'
>

const noVerdict: StoredVerdict = {
  verdict: null,
  justification: null,
  decision_id: null,
  document_id: null,
  statement: null,
  since: null,
}

/**
 * Brings the verdict in force, as stored on the open findings of a version, in line with the decisions and statements that apply at
 * this time (docs/decisions/0010). Returns how many changed. Call it in a transaction under `lockFindingsOfFamily`, after the
 * findings themselves are right.
 */
export async function refreshVerdictsOfVersion(
  tx: Tx,
  slot: VersionSlot,
  now: Date,
  groupIds: GroupChoice = null,
): Promise<number> {
  if (!(await mayHaveVerdicts(tx, slot))) return 0
  const touched = groupIds === null ? null : [...groupIds, ...(await selectNoticesAbout(tx, slot, groupIds))]
  const findings = await selectJudged(tx, slot, touched)
  if (findings.length === 0) return 0
  // what is said of one of its CVEs may concern an incident and leave the verdict on the notice as it is
  if (await isNoticeOfIncidents(tx, slot, findings)) await enqueueOpenings(tx, [slot], { now })
  const verdictOn = await verdictsOn(tx, slot, findings, { now, groupIds: touched, maxComparisons })
  return writeVerdicts(tx, findings, { slot, verdictOn, now })
}

/** Whether a finding on a notice of several CVEs may open an incident, or be part of one. */
async function isNoticeOfIncidents(tx: Tx, slot: VersionSlot, findings: readonly JudgedFinding[]) {
  const notices = await selectNoticeParts(tx, [...new Set(findings.map(({ group_id }) => group_id))])
  const on = findings.filter(({ group_id }) => notices.has(group_id))
  return on.some(({ isExploited }) => isExploited) || (on.length > 0 && isUnderIncident(tx, slot))
}

type Judging = { now: Date; groupIds: GroupChoice; maxComparisons: number }

/** The verdicts in force on findings of a version, as the SBOM of the view has them. */
export async function verdictsOn(
  db: Db,
  view: VersionView,
  findings: readonly JudgedSubject[],
  judging: Judging,
): Promise<(finding: JudgedSubject) => StoredVerdict> {
  const said = await saidOn(db, view, findings, judging)
  const partsOf = await selectNoticeParts(db, [...new Set(findings.map(({ group_id }) => group_id))])
  return (finding) => {
    const own = said(finding)
    if (own.verdict !== null) return own
    const parts = partsOf.get(finding.group_id) ?? []
    return verdictOfParts(parts.map((part) => said(finding, part)))
  }
}

/** What is said of findings themselves, or of one CVE of a notice. */
export async function saidOn(
  db: Db,
  view: VersionView,
  findings: readonly JudgedSubject[],
  { now, groupIds, maxComparisons: left }: Judging,
): Promise<(finding: JudgedSubject, part?: string) => StoredVerdict> {
  const decided = await decisionsOf(db, view, { now, groupIds })
  const claimed = await claimsOf(db, view, { findings, groupIds, left })
  return (finding, part) => verdictOf(decided(finding, part), claimed(finding, part))
}

/** A notice is settled when every one of its CVEs is, with the most cautious of their verdicts. */
function verdictOfParts(parts: readonly StoredVerdict[]): StoredVerdict {
  if (!parts.every(({ verdict }) => verdict === 'not_affected' || verdict === 'fixed')) return noVerdict
  return parts.find(({ verdict }) => verdict === 'fixed') ?? parts[0] ?? noVerdict
}

/**
 * As `refreshVerdictsOfVersion` after a decision on these groups: where one is in force, no statements need to be read, which may be slow.
 * Other findings stay as they are.
 */
export async function refreshDecidedVerdicts(
  tx: Tx,
  slot: VersionSlot,
  { now, groupIds }: { now: Date; groupIds: readonly number[] },
): Promise<void> {
  const decided = await decisionsOf(tx, slot, { now, groupIds })
  const findings = (await selectJudged(tx, slot, groupIds)).filter((finding) => decided(finding) !== null)
  await writeVerdicts(tx, findings, {
    slot,
    verdictOn: (finding) => verdictOf(decided(finding), null),
    now,
  })
  const notices = await selectNoticesAbout(tx, slot, groupIds)
  if (notices.length > 0) await refreshVerdictsOfVersion(tx, slot, now, notices)
}

/** What the statements on a version are compared with. */
export async function selectBindingProduct(
  db: Db,
  view: VersionView,
  targets: readonly StatementTarget[],
): Promise<BindingProduct> {
  const carriers = targets.flatMap((target) => target.carriers ?? [])
  const [product = noProduct] = await selectBindingProducts(db, isSbomOf(view), carriers)
  return product
}

/** `part`: of what is said of one CVE of a notice on several. */
type Lookup<T> = (finding: JudgedSubject, part?: string | null) => T | null

function keyOfPart(groupId: number, part: string | null): string {
  return part === null ? String(groupId) : `${groupId} ${part}`
}

async function decisionsOf(
  db: Db,
  slot: VersionSlot,
  choice: { now: Date; groupIds: GroupChoice },
): Promise<Lookup<StandingDecision>> {
  const decisions = await selectStandingDecisions(db, slot, choice)
  const keyOf = (groupId: number, part: string | null, packageKey: string) =>
    `${keyOfPart(groupId, part)} ${packageKey}`
  const bySubject = Map.groupBy(decisions, ({ groupId, part, packageKey }) =>
    keyOf(groupId, part, packageKey),
  )
  for (const list of bySubject.values()) list.sort(compareDecisions)
  return ({ group_id, package_key }, part = null) =>
    bySubject.get(keyOf(group_id, part, package_key))?.[0] ?? null
}

async function claimsOf(
  db: Db,
  view: VersionView,
  { findings, groupIds, left }: { findings: readonly JudgedSubject[]; groupIds: GroupChoice; left: number },
): Promise<Lookup<Claim>> {
  const targets = await selectStatementTargets(db, view, groupIds)
  if (targets.length === 0) return () => null
  const product = await selectBindingProduct(db, view, targets)
  const budget = { left }
  const byGroup = new Map(
    [...Map.groupBy(targets, ({ groupId, part }) => keyOfPart(groupId, part))].map(([key, list]) => [
      key,
      new BoundStatements(list, product, budget),
    ]),
  )
  const spoken = new Set(targets.map(({ groupId }) => groupId))
  const claimed = findings.filter(({ group_id }) => spoken.has(group_id))
  const identityIds = [...new Set(claimed.map(({ identity_id }) => identity_id))]
  const components = await selectJudgedComponents(db, view, identityIds)
  const read = new Map(
    [...Map.groupBy(components, ({ identity_id }) => identity_id)].map(([id, list]) => [
      id,
      list.map(readComponent),
    ]),
  )
  return ({ identity_id, group_id }, part = null) => {
    const statements = byGroup.get(keyOfPart(group_id, part))
    if (statements === undefined) return null
    return claimOfComponents(
      (read.get(identity_id) ?? []).map((component) => statements.decidingFor(component)),
    )
  }
}

/** A member's decision comes before every statement. */
function verdictOf(decision: StandingDecision | null, claim: Claim | null): StoredVerdict {
  if (decision !== null) {
    const { id, verdict, justification, decidedAt } = decision
    return { verdict, justification, decision_id: id, document_id: null, statement: null, since: decidedAt }
  }
  if (claim === null) return noVerdict
  const { verdict, justification, documentId, number, receivedAt } = claim
  return {
    verdict,
    justification,
    decision_id: null,
    document_id: documentId,
    statement: number,
    since: receivedAt,
  }
}

function isSame(a: StoredVerdict, b: StoredVerdict): boolean {
  return (
    a.verdict === b.verdict &&
    a.justification === b.justification &&
    a.decision_id === b.decision_id &&
    a.document_id === b.document_id &&
    a.statement === b.statement &&
    a.since?.getTime() === b.since?.getTime()
  )
}

type Judgement = { slot: VersionSlot; verdictOn: (finding: JudgedFinding) => StoredVerdict; now: Date }

/** Writes the verdicts that differ; returns how many. Those on exploited findings may open incidents, or hold them back; an open one tells of them. */
async function writeVerdicts(
  tx: Tx,
  findings: readonly JudgedFinding[],
  { slot, verdictOn, now }: Judgement,
): Promise<number> {
  const rows = findings.flatMap((finding) => {
    const verdict = verdictOn(finding)
    const { id, isExploited } = finding
    return isSame(verdict, finding) ? [] : [{ id, isExploited, ...verdict }]
  })
  if (rows.length === 0) return 0
  if (rows.some(({ isExploited }) => isExploited) || (await isUnderIncident(tx, slot))) {
    await enqueueOpenings(tx, [slot], { now })
  }
  await updateVerdicts(tx, rows, now)
  return rows.length
}

/**
 * Each change between open and declared is stored with its time: when the verdict came into force, or now where that was before the
 * finding's present state, as with an earlier statement that applies again.
 */
async function updateVerdicts(
  tx: Tx,
  rows: readonly (StoredVerdict & { id: string })[],
  now: Date,
): Promise<void> {
  await sql`
    with given as materialized (
      select id, verdict, justification, decision_id, document_id, statement, since::timestamptz as since
      from unnest(
        ${columnOf(rows, 'uuid', ({ id }) => id)},
        ${columnOf(rows, 'text', ({ verdict }) => verdict)},
        ${columnOf(rows, 'text', ({ justification }) => justification)},
        ${columnOf(rows, 'uuid', ({ decision_id }) => decision_id)},
        ${columnOf(rows, 'uuid', ({ document_id }) => document_id)},
        ${columnOf(rows, 'int', ({ statement }) => statement)},
        ${columnOf(rows, 'text', ({ since }) => since?.toISOString() ?? null)}
      ) as g (id, verdict, justification, decision_id, document_id, statement, since)
    ),
    turned as (
      insert into finding_turn (finding_id, at, is_settled, family_id)
      select f.id, case when g.since > l.at then g.since else greatest(${now}::timestamptz, l.at) end, not ${isSettled('f')}, f.family_id
      from given g
      join finding f on f.id = g.id
      cross join lateral (
        select greatest(f.first_seen_at, max(t.at)) as at from finding_turn t where t.finding_id = f.id
      ) l
      where ${isSettled('f')} <> coalesce(g.verdict in ('not_affected', 'fixed'), false)
    )
    update finding f
    set verdict = g.verdict, verdict_justification = g.justification, verdict_decision_id = g.decision_id,
      verdict_document_id = g.document_id, verdict_statement = g.statement, verdict_since = g.since,
      first_verdict_at = case when g.verdict <> 'under_investigation'
        then coalesce(f.first_verdict_at, greatest(f.first_seen_at, g.since)) else f.first_verdict_at end
    from given g
    where f.id = g.id`.execute(tx)
}
