import { sql } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import type { Decision, NewDecision, RecordedDecisions } from '../../contract/findings/verdict.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { uuidList } from '../../platform/postgres/columns.ts'
import { newId } from '../../platform/random.ts'
import type { DecisionAct, DecisionSubject } from '../../vex/decisions/decision.ts'
import { checkDecision } from '../../vex/decisions/decisions-input.ts'
import {
  endDecisions,
  lockStandingDecisions,
  restoreReplaced,
  selectDecisionFamilies,
  type DecisionChoice,
  type StandingRow,
} from '../../vex/decisions/end-decisions.ts'
import { insertDecisions } from '../../vex/decisions/insert-decisions.ts'
import { selectDecisions } from '../../vex/decisions/select-decisions.ts'
import { enqueueRefresh } from '../../workspace/monitoring/enqueue-refresh.ts'
import { enqueueMalwareNotice } from '../refresh/tell-malware.ts'
import { lockFindingsOfFamily } from '../locks.ts'
import { namesOfGroups } from './names-of-group.ts'
import { refreshDecidedVerdicts, refreshVerdictsOfVersion } from './refresh-verdicts.ts'
import type { VersionSlot } from '../version-slot.ts'

/** The number of versions whose verdicts are updated at once; a job does the others. */
const versionsAtOnce = 3

/**
 * Records a member's verdict on findings, which applies to the package of each finding's component and to this version or every one. It
 * is in effect when this returns, in further versions after a job. Findings on the same package and vulnerability share one
 * decision; all of them are one batch.
 *
 * Codes: `invalid_request`, `not_found` (one of the findings), `conflict` (an archived family).
 */
export async function decideFindings(
  db: Db,
  { workspaceId, actor, now }: DecisionAct,
  given: NewDecision,
): Promise<RecordedDecisions> {
  const decision = checkDecision(given, now)
  const familyIds = await selectFamilies(db, workspaceId, given.findingIds)
  return transact(db, async (tx) => {
    for (const familyId of familyIds) await lockFindingsOfFamily(tx, familyId)
    const findings = await selectSubjects(tx, workspaceId, given.findingIds)
    const subjects = distinctSubjects(findings, decision.everyVersion)
    const batchId = newId(now)
    await insertDecisions(tx, { workspaceId, actor, now }, { decision, batchId, subjects })
    const refresh = (slot: VersionSlot, groupIds: number[]) =>
      refreshDecidedVerdicts(tx, slot, { now, groupIds })
    await putIntoForce(tx, findings, { now, everyVersion: decision.everyVersion, refresh })
    return { decided: subjects.length, batch: batchId }
  })
}

/** Revokes a decision, or all of a batch that are in force. Codes: `not_found`, `conflict` (none is still in force). */
export async function revokeDecisions(db: Db, act: DecisionAct, choice: DecisionChoice): Promise<number> {
  return takeBack(db, act, { choice, restores: false })
}

/** Undoes an act: as `revokeDecisions`, and the decisions that it had replaced are in force again. */
export async function undoDecisions(db: Db, act: DecisionAct, batchId: string): Promise<number> {
  return takeBack(db, act, { choice: { batchId }, restores: true })
}

type TakingBack = { choice: DecisionChoice; restores: boolean }

async function takeBack(db: Db, act: DecisionAct, { choice, restores }: TakingBack): Promise<number> {
  const { workspaceId, now } = act
  const familyIds = await selectDecisionFamilies(db, workspaceId, choice)
  if (familyIds.length === 0) throw new ServiceError('not_found')
  return transact(db, async (tx) => {
    for (const familyId of familyIds) await lockFindingsOfFamily(tx, familyId)
    const standing = await lockStandingDecisions(tx, { workspaceId, choice, now })
    if (standing.length === 0) {
      throw new ServiceError('conflict', { message: 'The decision is no longer in force.' })
    }
    const slots = await selectDecidedSlots(tx, workspaceId, standing)
    await endDecisions(tx, act, standing)
    if (restores) await restoreReplaced(tx, act, standing)
    const refresh = (slot: VersionSlot, groupIds: number[]) =>
      refreshVerdictsOfVersion(tx, slot, now, groupIds)
    const everyVersion = standing.some((decision) => decision.everyVersion)
    await putIntoForce(tx, slots, { now, everyVersion, refresh })
    return standing.length
  })
}

/** What members decided about a finding, the newest first. Codes: `not_found`. */
export async function selectDecisionHistory(
  db: Db,
  { workspaceId, findingId, now }: { workspaceId: string; findingId: string; now: Date },
): Promise<Decision[]> {
  const [finding] = await selectSubjects(db, workspaceId, [findingId])
  if (finding === undefined) throw new ServiceError('not_found')
  return selectDecisions(db, { workspaceId, now }, finding)
}

async function selectFamilies(db: Db, workspaceId: string, findingIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string; is_archived: boolean }>`
    select distinct y.id, y.archived_at is not null as is_archived
    from finding f
    join family y on y.id = f.family_id and y.deleted_at is null
    where f.workspace_id = ${workspaceId} and f.id = any(${findingIds}::uuid[])
    order by y.id`.execute(db)
  if (rows.some((row) => row.is_archived)) {
    throw new ServiceError('conflict', { message: 'The product family is archived.' })
  }
  return rows.map((row) => row.id)
}

type Subject = DecisionSubject & VersionSlot & { groupId: number }

/** What the findings are about, in the order of their ids. Codes: `not_found` when one is missing. */
async function selectSubjects(
  db: Db,
  workspaceId: string,
  findingIds: readonly string[],
): Promise<Subject[]> {
  const { rows } = await sql<Subject>`
    with asked as materialized (
      select f.id, f.workspace_id, f.family_id, f.version_id, f.identity_id, f.group_id
      from finding f
      where f.workspace_id = ${workspaceId} and f.id = any(${findingIds}::uuid[])
    ),
    ${namesOfGroups(sql`select group_id from asked`)}
    select a.workspace_id as "workspaceId", a.family_id as "familyId", a.version_id as "versionId", a.group_id as "groupId",
      coalesce(i.package_key, i.subject) as "packageKey", g.title_id as "vulnerabilityId",
      array(select n.id from group_name n where n.group_id = a.group_id order by n.id) as names
    from asked a
    join component_identity i on i.id = a.identity_id
    join vulnerability_group g on g.id = a.group_id
    order by a.id`.execute(db)
  if (rows.length < new Set(findingIds).size) throw new ServiceError('not_found')
  return rows
}

/** Findings on several versions of a package in one product version are about the same. */
function distinctSubjects(findings: readonly Subject[], everyVersion: boolean): Subject[] {
  const subjects = new Map<string, Subject>()
  for (const finding of findings) {
    const { familyId, versionId, packageKey, groupId } = finding
    const key = JSON.stringify([familyId, everyVersion ? null : versionId, packageKey, groupId])
    if (!subjects.has(key)) subjects.set(key, finding)
  }
  return [...subjects.values()]
}

/**
 * The versions and groups with a finding that one of the decisions decides about; a notice of several CVEs is also decided about by what is said of
 * each of them, whether or not that one has a finding. Indexes finding_decision, finding_subject.
 */
async function selectDecidedSlots(
  tx: Tx,
  workspaceId: string,
  standing: readonly StandingRow[],
): Promise<DecidedSlot[]> {
  const familyIds = uuidList([...new Set(standing.map(({ familyId }) => familyId))])
  const { rows } = await sql<DecidedSlot>`
    with ended as materialized (
      select d.* from verdict_decision d where d.id = any(${uuidList(standing.map(({ id }) => id))})
    ),
    decided as (
      select f.family_id, f.version_id, f.group_id
      from ended d
      join finding f on f.verdict_decision_id = d.id and f.workspace_id = d.workspace_id and f.closed_at is null
      union
      select f.family_id, f.version_id, f.group_id
      from finding f
      join vulnerability_group g on g.id = f.group_id and g.cves like '% %'
      join ended d on d.family_id = f.family_id and d.vulnerability_id = any(string_to_array(g.cves, ' '))
        and (d.every_version or d.version_id is not distinct from f.version_id)
      where f.workspace_id = ${workspaceId} and f.family_id = any(${familyIds}) and f.closed_at is null
    )
    select ${workspaceId} as "workspaceId", family_id as "familyId", version_id as "versionId", group_id as "groupId"
    from decided order by 2, 3, 4`.execute(tx)
  return rows
}

type DecidedSlot = VersionSlot & { groupId: number }

type Reach = {
  now: Date
  everyVersion: boolean
  refresh: (slot: VersionSlot, groupIds: number[]) => Promise<unknown>
}

async function putIntoForce(
  tx: Tx,
  found: readonly DecidedSlot[],
  { now, everyVersion, refresh }: Reach,
): Promise<void> {
  const slots = [
    ...Map.groupBy(found, ({ familyId, versionId }) => JSON.stringify([familyId, versionId])).values(),
  ]
  for (const inSlot of slots.slice(0, versionsAtOnce)) {
    const [slot] = inSlot
    if (slot === undefined) continue
    await refresh(slot, [...new Set(inSlot.map(({ groupId }) => groupId))])
    await enqueueMalwareNotice(tx, slot, { now })
  }
  if (!everyVersion && slots.length <= versionsAtOnce) return
  const families = new Map(found.map(({ workspaceId, familyId }) => [familyId, { workspaceId, familyId }]))
  for (const family of families.values()) await enqueueRefresh(tx, family, now)
}
