import type { Tx } from '../../database/connection.ts'
import { verdictsOnParts } from '../../findings/verdicts/refresh-verdicts.ts'
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
  const judged = new Map<Candidate, Candidate>()
  const bySlot = Map.groupBy(
    candidates.filter(({ part }) => part !== null),
    ({ familyId, versionId }) => JSON.stringify([familyId, versionId]),
  )
  for (const inSlot of bySlot.values()) {
    const [first] = inSlot
    if (first === undefined) continue
    const { familyId, versionId } = first
    const slot = { workspaceId, familyId, versionId }
    const verdictOn = await verdictsOnParts(tx, slot, inSlot.map(subjectOf), now)
    for (const candidate of inSlot) {
      const { verdict, document_id, statement } = verdictOn(subjectOf(candidate), candidate.vulnKey)
      judged.set(candidate, { ...candidate, verdict, documentId: document_id, statement })
    }
  }
  return candidates.map((candidate) => judged.get(candidate) ?? candidate)
}

function subjectOf({ identityId, groupId, packageKey }: Candidate) {
  return { identity_id: identityId, group_id: groupId, package_key: packageKey }
}
