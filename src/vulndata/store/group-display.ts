import type { Severity } from '../../contract/severities.ts'
import { precedenceOf } from './severity-precedence.ts'
import type { StatedSeverity } from './upstream-severity.ts'
import { isCve } from '../../records/cve.ts'
import { isMalwareId } from '../../records/malware-id.ts'
import { compareText } from '../../versions/compare.ts'

/** What a member contributes to how its group is shown. */
export type Member = {
  id: number
  recordId: string
  summary: string
  severity: Severity
  score: number | null
  /** The severity of the vulnerabilities that the member is about but does not equal. */
  upstream: StatedSeverity | null
  isWithdrawn: boolean
  /** The ids by which it falls into the group, its own among them. */
  ids: readonly string[]
  /** The CVEs that it is about and is not the same as. */
  cves: readonly string[]
}

export type GroupDisplay = {
  /** CVE, also the only one that the members are about, else GHSA, else the first member's own id. */
  titleId: string
  summary: string
  severity: Severity
  score: number | null
  /** The record the severity is taken from; null when none has one. */
  severitySource: string | null
  /** Records on packages state different ones, so that a finding has that of the records that match it. */
  isDisputedSeverity: boolean
  /** The package itself is malicious: a class above every severity. */
  isMalware: boolean
  /** The CVEs that the members are about, with a space between; null where the group is one itself, or they are about none. */
  cves: string | null
}

const ranks: Record<Severity, number> = { critical: 5, high: 4, medium: 3, low: 2, none: 1, unknown: 0 }

/**
 * Title, summary and severity of a group. The severity is the one that its records on packages state, else NVD's, else CISA's
 * (docs/decisions/0006-severities.md); of several the highest, because the cautious reading is the safe one. Where no live member has one, as in
 * most notices of distributions, it is the highest of what they are about. The summary is the title record's, else GHSA's, else the first there
 * is.
 */
export function displayOf(members: readonly Member[], ids: ReadonlySet<string>): GroupDisplay {
  const live = members.filter((member) => !member.isWithdrawn)
  const speaking = (live.length > 0 ? live : [...members]).sort((a, b) => compareText(a.recordId, b.recordId))
  const cves = cvesOf(live, ids)
  const titleId = titleOf(speaking, ids, cves)
  const heard = Math.min(...speaking.filter(isScored).map(({ recordId }) => precedenceOf(recordId)))
  const gravest =
    gravestOf(speaking.filter(({ recordId }) => precedenceOf(recordId) === heard)) ??
    gravestOf(speaking.flatMap(({ upstream }) => (upstream === null ? [] : [upstream])))
  return {
    titleId,
    summary: summaryOf(speaking, titleId),
    severity: gravest?.severity ?? 'unknown',
    score: gravest?.score ?? null,
    severitySource: gravest?.recordId ?? null,
    isDisputedSeverity: heard === 0 && hasSeveral(speaking),
    isMalware: saysMalware(members),
    cves: listOf(cves),
  }
}

/** None where the group is a CVE itself. */
function cvesOf(members: readonly Member[], ids: ReadonlySet<string>): string[] {
  if ([...ids].some(isCve)) return []
  return [...new Set(members.flatMap((member) => member.cves))].sort(compareText)
}

function listOf(cves: readonly string[]): string | null {
  return cves.length === 0 ? null : cves.join(' ')
}

/** A live record that is a malware record, or is the same as one. Naming only a withdrawn one does not count. */
function saysMalware(members: readonly Member[]): boolean {
  const withdrawn = new Set(members.filter(({ isWithdrawn }) => isWithdrawn).map(({ recordId }) => recordId))
  return members.some(
    ({ isWithdrawn, ids }) => !isWithdrawn && ids.some((id) => isMalwareId(id) && !withdrawn.has(id)),
  )
}

function hasSeveral(members: readonly Member[]): boolean {
  const stated = members.filter((member) => isScored(member) && precedenceOf(member.recordId) === 0)
  return new Set(stated.map(({ severity, score }) => `${severity} ${String(score)}`)).size > 1
}

function isScored({ severity }: StatedSeverity): boolean {
  return severity !== 'unknown'
}

/** Of equals the better known, else the first; `gravestFirst` in SQL. */
function gravestOf(statements: readonly StatedSeverity[]): StatedSeverity | undefined {
  return statements
    .filter(isScored)
    .sort(
      (a, b) =>
        ranks[b.severity] - ranks[a.severity] ||
        (b.score ?? -1) - (a.score ?? -1) ||
        unfamiliarity(a) - unfamiliarity(b),
    )[0]
}

/** Readers look a severity up by the id that most of them know. */
function unfamiliarity({ recordId }: StatedSeverity): number {
  if (isCve(recordId)) return 0
  return recordId.startsWith('GHSA-') ? 1 : 2
}

function titleOf(
  members: readonly Member[],
  ids: ReadonlySet<string>,
  [cve, ...others]: readonly string[],
): string {
  if (cve !== undefined && others.length === 0) return cve
  const sorted = [...ids].sort(compareText)
  return sorted.find(isCve) ?? sorted.find((id) => id.startsWith('GHSA-')) ?? members[0]?.recordId ?? ''
}

function summaryOf(members: readonly Member[], titleId: string): string {
  const withSummary = members.filter((member) => member.summary !== '')
  const best =
    withSummary.find((member) => member.recordId === titleId) ??
    withSummary.find((member) => member.recordId.startsWith('GHSA-')) ??
    withSummary[0]
  return best?.summary ?? ''
}
