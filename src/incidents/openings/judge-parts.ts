import { sql } from 'kysely'
import type { Tx } from '../../database/connection.ts'
import { maxComparisons, saidOn, type StoredVerdict } from '../../findings/verdicts/refresh-verdicts.ts'
import { uuidList } from '../../platform/postgres/columns.ts'
import type { Candidate } from './select-candidates.ts'

/**
 * The same candidates in their order; those on one CVE of a notice of several with the verdict on that CVE. The one on the notice says whether all of
 * its CVEs are settled, by whatever statements and decisions: an incident is about one of them.
 */
export async function judgeParts(
  tx: Tx,
  workspaceId: string,
  { candidates, now }: { candidates: readonly Candidate[]; now: Date },
): Promise<Candidate[]> {
  const parts = candidates.filter(({ part }) => part !== null)
  const judged = new Map(await verdictsOf(tx, { workspaceId, parts, now }))
  return candidates.map((candidate) => {
    const said = judged.get(candidate)
    if (said === undefined) return candidate
    const { verdict, document_id: documentId, statement } = said
    return { ...candidate, verdict, documentId, statement }
  })
}

/** One CVE of a notice of several on a component of a version. */
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
  const judged = await verdictsOf(tx, { workspaceId, parts, now })
  return judged.map(([part, { verdict, document_id, decision_id }]) => ({
    ...part,
    verdict,
    document_id,
    decision_id,
  }))
}

/** On each CVE: the verdict on the notice itself, else what is said of the CVE. */
async function verdictsOf<T extends Part>(
  tx: Tx,
  { workspaceId, parts, now }: { workspaceId: string; parts: readonly T[]; now: Date },
): Promise<[T, StoredVerdict][]> {
  const judged: [T, StoredVerdict][] = []
  const bySlot = Map.groupBy(parts, ({ familyId, versionId }) => JSON.stringify([familyId, versionId]))
  for (const inSlot of bySlot.values()) {
    const [first] = inSlot
    if (first === undefined) continue
    const { familyId, versionId } = first
    const groupIds = [...new Set(inSlot.map(({ groupId }) => groupId))]
    const slot = { workspaceId, familyId, versionId }
    const said = await saidOn(tx, slot, inSlot.map(subjectOf), { now, groupIds, maxComparisons })
    for (const part of inSlot) {
      const own = said(subjectOf(part))
      judged.push([part, own.verdict === null ? said(subjectOf(part), part.vulnKey) : own])
    }
  }
  return judged
}

function subjectOf({ identityId, groupId, packageKey }: Part) {
  return { identity_id: identityId, group_id: groupId, package_key: packageKey }
}
