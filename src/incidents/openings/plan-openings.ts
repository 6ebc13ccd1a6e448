import { openingOfCandidate } from '../../vulnerabilities/openings/notice-openings.ts'
import type { Candidate } from '../../vulnerabilities/openings/select-candidates.ts'

/** What is known of incidents on the families and vulnerabilities of the candidates; exercises left out. */
export type KnownIncidents = {
  /** Open ones, for each of their families. */
  open: readonly { incidentId: string; familyId: string; vulnKey: string; aliases: readonly string[] }[]
  /** Closed ones, for each of their families, the newest first. */
  closed: readonly { incidentId: string; familyId: string; vulnKey: string; aliases: readonly string[] }[]
  /** What some incident, open or closed, is already about, with the incident's names for the vulnerability. */
  affected: readonly (Subject & { aliases: readonly string[] })[]
}

export type NewIncident = {
  familyId: string
  family: string
  vulnKey: string
  /** The closed incident about the same family and vulnerability. */
  follows: string | null
  matches: Candidate[]
}

export type OpeningPlan = {
  openings: NewIncident[]
  /** Open incidents that gain matches. */
  joins: { incidentId: string; matches: Candidate[] }[]
  /** Suppressed by the verdict of an uploaded document. */
  suppressed: Candidate[]
}

/** The candidates that no incident is about yet. */
export function freshCandidates<T extends Candidate>(
  candidates: readonly T[],
  known: Pick<KnownIncidents, 'affected'>,
): T[] {
  const affected = Map.groupBy(known.affected, componentKey)
  return candidates.filter(
    (candidate) => affected.get(componentKey(candidate))?.some((one) => isAbout(one, candidate)) !== true,
  )
}

/**
 * What exploited exact matches lead to that no incident is about: a record where the verdict of an uploaded document suppresses
 * them, a further line in the open incident of their family and vulnerability, or an incident of their own. A closed incident gets a successor only for a
 * version or component that it was not about.
 */
export function planOpenings(fresh: readonly Candidate[], known: KnownIncidents): OpeningPlan {
  const opening = fresh.filter(opens)
  // a notice may open what the record of its own does not: nothing is held back then
  const opened = new Set(opening.map(subjectKey))
  const suppressed = fresh.filter((candidate) => !opened.has(subjectKey(candidate)))
  const byKey = Map.groupBy(opening, ({ familyId, vulnKey }) => `${familyId} ${vulnKey}`)
  const plan: OpeningPlan = { openings: [], joins: [], suppressed }
  for (const matches of byKey.values()) {
    const [first] = matches
    if (first === undefined) continue
    const open = known.open.find((one) => one.familyId === first.familyId && isAbout(one, first))
    if (open !== undefined) plan.joins.push({ incidentId: open.incidentId, matches })
    else plan.openings.push(newIncident(first, matches, known))
  }
  return plan
}

function newIncident(first: Candidate, matches: Candidate[], known: KnownIncidents): NewIncident {
  const { familyId, family, vulnKey } = first
  const closed = known.closed.find((one) => one.familyId === familyId && isAbout(one, first))
  return { familyId, family, vulnKey, follows: closed?.incidentId ?? null, matches }
}

type Names = { vulnKey: string; aliases: readonly string[] }

/** Names other than the keys count in one direction only: a notice about several vulnerabilities is a name for each of them. */
export function isAbout(incident: Names, { vulnKey, aliases }: Names): boolean {
  return (
    incident.vulnKey === vulnKey || incident.aliases.includes(vulnKey) || aliases.includes(incident.vulnKey)
  )
}

function opens(candidate: Candidate): boolean {
  return openingOfCandidate(candidate).opens
}

type Subject = { familyId: string; versionId: string | null; identityId: string; vulnKey: string }

/** One component of one version. */
function componentKey({ familyId, versionId, identityId }: Omit<Subject, 'vulnKey'>): string {
  return JSON.stringify([familyId, versionId, identityId])
}

/** One component of one version, for one vulnerability. */
export function subjectKey({ familyId, versionId, identityId, vulnKey }: Subject): string {
  return JSON.stringify([familyId, versionId, identityId, vulnKey])
}
