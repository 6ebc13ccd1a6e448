import type { Catalogue, Grade } from '../../contract/findings/shapes.ts'
import type { IncidentOpening, VerdictSource } from '../../contract/findings/verdict.ts'
import type { Verdict } from '../../contract/vex/shapes.ts'
import type { Db } from '../../database/connection.ts'
import { selectNoticeParts } from '../../findings/verdicts/verdict-facts.ts'
import { mayOpenIncident } from './incident-opening.ts'
import { judgeCandidates } from './judge-candidates.ts'
import { selectCandidates, type Candidate } from './select-candidates.ts'

/** What is known of a finding without asking what is said of each CVE of its notice. */
export type OpeningFacts = {
  findingId: string
  groupId: number
  grade: Grade
  exploitedBy: readonly Catalogue[]
  isActive: boolean
  isArchived: boolean
  verdict: Verdict | null
  verdictSource: VerdictSource | null
}

type Asked = {
  workspaceId: string
  findings: readonly OpeningFacts[]
  /** Which vulnerabilities it is asked for; null: any that the finding is about. */
  ids: readonly string[] | null
  now: Date
}

/**
 * Whether findings open an incident, in their order. One on a notice of several CVEs does so for each CVE that a catalogue lists, and what is said of
 * that CVE decides, as in the opening itself.
 */
export async function describeOpenings(
  db: Db,
  { workspaceId, findings, ids, now }: Asked,
): Promise<IncidentOpening[]> {
  const onWhole = findings.map(openingOf)
  const doubtful = findings.filter(
    (_finding, index) => onWhole[index]?.opens === true || onWhole[index]?.obstacle === 'declared',
  )
  const notices = await selectNotices(db, doubtful)
  if (notices.size === 0) return onWhole
  const findingIds = doubtful.flatMap(({ findingId, groupId }) => (notices.has(groupId) ? [findingId] : []))
  const candidates = await selectCandidates(db, workspaceId, { findingIds })
  const judged = await judgeCandidates(db, workspaceId, { candidates, now })
  const byFinding = Map.groupBy(judged, ({ findingId }) => findingId)
  return findings.map((finding, index) => {
    const parts = byFinding.get(finding.findingId)?.filter(({ part }) => isAsked(part, ids))
    const whole = onWhole[index] ?? openingOf(finding)
    return parts === undefined ? whole : openingOfParts(parts)
  })
}

async function selectNotices(db: Db, findings: readonly OpeningFacts[]): Promise<Set<number>> {
  if (findings.length === 0) return new Set()
  const notices = await selectNoticeParts(db, [...new Set(findings.map(({ groupId }) => groupId))])
  return new Set(notices.keys())
}

/** What is listed under another id than that of a CVE concerns the whole notice. */
function isAsked(part: string | null, ids: Asked['ids']): boolean {
  return part === null || ids === null || ids.includes(part)
}

function openingOf(facts: OpeningFacts): IncidentOpening {
  const { grade, exploitedBy, isActive, isArchived, verdict, verdictSource } = facts
  return mayOpenIncident({
    grade,
    exploitedBy,
    isInActiveSbom: isActive,
    isFamilyArchived: isArchived,
    verdict,
    verdictSource,
  })
}

function openingOfParts(parts: readonly Candidate[]): IncidentOpening {
  const openings = parts.map(openingOfCandidate)
  return openings.find(({ opens }) => opens) ?? openings[0] ?? { opens: false, obstacle: 'not_listed' }
}

/** Candidates are exact matches in active SBOMs of families that are not archived. */
export function openingOfCandidate({ listedBy, verdict, documentId }: Candidate): IncidentOpening {
  return mayOpenIncident({
    grade: 'exact',
    exploitedBy: listedBy,
    isInActiveSbom: true,
    isFamilyArchived: false,
    verdict,
    verdictSource: verdict === null ? null : documentId === null ? 'decision' : 'document',
  })
}
