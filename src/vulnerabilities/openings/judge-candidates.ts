import type { Db } from '../../database/connection.ts'
import {
  maxComparisons,
  saidOn,
  verdictsOn,
  type StoredVerdict,
} from '../../findings/verdicts/refresh-verdicts.ts'
import { selectWithVerdicts } from '../../findings/verdicts/verdict-facts.ts'
import type { VersionSlot } from '../../findings/version-slot.ts'
import type { Candidate } from './select-candidates.ts'

/**
 * The same candidates in their order, with the verdicts that are in force now: a document may have been stored whose job has not run yet. Those on
 * one CVE of a notice of several have the verdict on that CVE: the one on the notice says whether all of its CVEs are settled, by whatever statements and
 * decisions, and an incident is about one of them.
 */
export async function judgeCandidates(
  db: Db,
  workspaceId: string,
  { candidates, now }: { candidates: readonly Candidate[]; now: Date },
): Promise<Candidate[]> {
  const parts = candidates.filter(({ part }) => part !== null)
  const others = candidates.filter(({ part }) => part === null)
  const judged = new Map([
    ...(await judgeParts(db, { workspaceId, parts, now })),
    ...(await judge(db, { workspaceId, subjects: others, now }, verdictsOnWhole)),
  ])
  return candidates.map((candidate) => {
    const said = judged.get(candidate)
    if (said === undefined) return candidate
    const { verdict, document_id: documentId, statement } = said
    return { ...candidate, verdict, documentId, statement }
  })
}

/** A vulnerability on a component of a version. */
export type Part = Pick<
  Candidate,
  'familyId' | 'versionId' | 'identityId' | 'groupId' | 'packageKey' | 'vulnKey'
>

type Judging<T> = { workspaceId: string; subjects: readonly T[]; now: Date }

/** The verdicts on single CVEs of notices; what is not in the map has none. */
export async function judgeParts<T extends Part>(
  db: Db,
  { workspaceId, parts, now }: { workspaceId: string; parts: readonly T[]; now: Date },
): Promise<Map<T, StoredVerdict>> {
  return judge(db, { workspaceId, subjects: parts, now }, verdictsOnParts)
}

type Verdicts = (part: Part) => StoredVerdict
type ReadVerdicts = (
  db: Db,
  slot: VersionSlot,
  facts: { subjects: readonly Part[]; now: Date },
) => Promise<Verdicts>

async function judge<T extends Part>(
  db: Db,
  { workspaceId, subjects, now }: Judging<T>,
  read: ReadVerdicts,
): Promise<Map<T, StoredVerdict>> {
  const judged = new Map<T, StoredVerdict>()
  if (subjects.length === 0) return judged
  const familyIds = [...new Set(subjects.map(({ familyId }) => familyId))]
  const spoken = await selectWithVerdicts(db, { workspaceId, familyIds })
  const inSpoken = subjects.filter(({ familyId }) => spoken.has(familyId))
  const bySlot = Map.groupBy(inSpoken, ({ familyId, versionId }) => JSON.stringify([familyId, versionId]))
  for (const inSlot of bySlot.values()) {
    const [first] = inSlot
    if (first === undefined) continue
    const slot = { workspaceId, familyId: first.familyId, versionId: first.versionId }
    const verdictOn = await read(db, slot, { subjects: inSlot, now })
    for (const one of inSlot) judged.set(one, verdictOn(one))
  }
  return judged
}

/** On each CVE: the verdict on the notice itself, else what is said of the CVE. */
const verdictsOnParts: ReadVerdicts = async (db, slot, { subjects, now }) => {
  const said = await saidOn(db, slot, subjects.map(subjectOf), judgingOf(subjects, now))
  return (part) => {
    const own = said(subjectOf(part))
    return own.verdict === null ? said(subjectOf(part), part.vulnKey) : own
  }
}

const verdictsOnWhole: ReadVerdicts = async (db, slot, { subjects, now }) => {
  const verdictOn = await verdictsOn(db, slot, subjects.map(subjectOf), judgingOf(subjects, now))
  return (one) => verdictOn(subjectOf(one))
}

function judgingOf(subjects: readonly Part[], now: Date) {
  return { now, groupIds: [...new Set(subjects.map(({ groupId }) => groupId))], maxComparisons }
}

function subjectOf({ identityId, groupId, packageKey }: Part) {
  return { identity_id: identityId, group_id: groupId, package_key: packageKey }
}
