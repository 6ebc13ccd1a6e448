import { sql } from 'kysely'
import type { Tx } from '../../database/connection.ts'
import {
  maxComparisons,
  saidOn,
  verdictsOn,
  type StoredVerdict,
} from '../../findings/verdicts/refresh-verdicts.ts'
import { mayHaveVerdicts } from '../../findings/verdicts/verdict-facts.ts'
import type { VersionSlot } from '../../findings/version-slot.ts'
import { uuidList } from '../../platform/postgres/columns.ts'
import type { Candidate } from './select-candidates.ts'

/**
 * The same candidates in their order, with the verdicts that are in force now: a document may have been stored whose job has not run yet. Those on
 * one CVE of a notice of several have the verdict on that CVE: the one on the notice says whether all of its CVEs are settled, by whatever statements and
 * decisions, and an incident is about one of them.
 */
export async function judgeCandidates(
  tx: Tx,
  workspaceId: string,
  { candidates, now }: { candidates: readonly Candidate[]; now: Date },
): Promise<Candidate[]> {
  const parts = candidates.filter(({ part }) => part !== null)
  const others = candidates.filter(({ part }) => part === null)
  const judged = new Map([
    ...(await judge(tx, { workspaceId, subjects: parts, now }, verdictsOnParts)),
    ...(await judge(tx, { workspaceId, subjects: others, now }, verdictsOnWhole)),
  ])
  return candidates.map((candidate) => {
    const said = judged.get(candidate)
    if (said === undefined) return candidate
    const { verdict, document_id: documentId, statement } = said
    return { ...candidate, verdict, documentId, statement }
  })
}

/** A vulnerability on a component of a version. */
type Part = Pick<Candidate, 'familyId' | 'versionId' | 'identityId' | 'groupId' | 'packageKey' | 'vulnKey'>

export type JudgedPart = Part & Pick<StoredVerdict, 'verdict' | 'document_id' | 'decision_id'>

/** The verdicts on what open incidents of these families are about, where that is one CVE of a notice of several. Index incident_family_of. */
export async function selectJudgedParts(
  tx: Tx,
  { workspaceId, familyIds, now }: { workspaceId: string; familyIds: readonly string[]; now: Date },
): Promise<JudgedPart[]> {
  const { rows: parts } = await sql<Part>`
    select distinct a.family_id as "familyId", a.version_id as "versionId", a.identity_id as "identityId", a.group_id as "groupId",
      coalesce(i.package_key, i.subject) as "packageKey", a.vuln_key as "vulnKey"
    from incident_family y
    join incident_affected a on a.incident_id = y.incident_id and a.family_id = y.family_id
    join vulnerability_group g on g.id = a.group_id and g.cves like '% %' and a.vuln_key = any(string_to_array(g.cves, ' '))
    join component_identity i on i.id = a.identity_id
    where y.workspace_id = ${workspaceId} and y.family_id = any(${uuidList(familyIds)}) and y.is_open`.execute(
    tx,
  )
  const judged = await judge(tx, { workspaceId, subjects: parts, now }, verdictsOnParts)
  return judged.map(([part, { verdict, document_id, decision_id }]) => ({
    ...part,
    verdict,
    document_id,
    decision_id,
  }))
}

type Verdicts = (part: Part) => StoredVerdict
type ReadVerdicts = (
  tx: Tx,
  slot: VersionSlot,
  facts: { subjects: readonly Part[]; now: Date },
) => Promise<Verdicts>

async function judge<T extends Part>(
  tx: Tx,
  { workspaceId, subjects, now }: { workspaceId: string; subjects: readonly T[]; now: Date },
  read: ReadVerdicts,
): Promise<[T, StoredVerdict][]> {
  const judged: [T, StoredVerdict][] = []
  const bySlot = Map.groupBy(subjects, ({ familyId, versionId }) => JSON.stringify([familyId, versionId]))
  for (const inSlot of bySlot.values()) {
    const [first] = inSlot
    if (first === undefined) continue
    const slot = { workspaceId, familyId: first.familyId, versionId: first.versionId }
    if (!(await mayHaveVerdicts(tx, slot))) continue
    const verdictOn = await read(tx, slot, { subjects: inSlot, now })
    judged.push(...inSlot.map((one): [T, StoredVerdict] => [one, verdictOn(one)]))
  }
  return judged
}

/** On each CVE: the verdict on the notice itself, else what is said of the CVE. */
const verdictsOnParts: ReadVerdicts = async (tx, slot, { subjects, now }) => {
  const said = await saidOn(tx, slot, subjects.map(subjectOf), judgingOf(subjects, now))
  return (part) => {
    const own = said(subjectOf(part))
    return own.verdict === null ? said(subjectOf(part), part.vulnKey) : own
  }
}

const verdictsOnWhole: ReadVerdicts = async (tx, slot, { subjects, now }) => {
  const verdictOn = await verdictsOn(tx, slot, subjects.map(subjectOf), judgingOf(subjects, now))
  return (one) => verdictOn(subjectOf(one))
}

function judgingOf(subjects: readonly Part[], now: Date) {
  return { now, groupIds: [...new Set(subjects.map(({ groupId }) => groupId))], maxComparisons }
}

function subjectOf({ identityId, groupId, packageKey }: Part) {
  return { identity_id: identityId, group_id: groupId, package_key: packageKey }
}
