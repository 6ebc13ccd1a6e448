import { visibleText } from '#contract/hidden-characters.ts'
import type { Decision, NewDecision } from '#contract/findings/verdict.ts'
import type { Justification, Verdict } from '#contract/vex/shapes.ts'
import { formatCount } from '../../kit/text/format.ts'

/** What is judged. */
export type DecisionSubject = {
  /** "CVE-2021-44228 in log4j-core", "12 findings" */
  title: string
  findingIds: string[]
  /** What the verdict follows when components are updated: "log4j-core", "their packages". */
  packages: string
  /** The scopes offered: "Only version 2.4.1", "Every version of Pump". */
  scopes: { only: string; every: string }
  /** How many of the findings are known to be exploited. */
  exploited: number
}

/** Scopes for findings in one version of a family; null: SBOMs without a version. */
export function scopesOfVersion(version: string | null, familyName: string): DecisionSubject['scopes'] {
  return {
    only: version === null ? 'Only SBOMs without a version' : visibleText(`Only version ${version}`),
    every: visibleText(`Every version of ${familyName}`),
  }
}

type VersionOfFamily = { family: { id: string; name: string }; version: string | null }

/** Scopes for findings in several versions, possibly of several families. */
export function scopesOfVersions(places: readonly VersionOfFamily[]): DecisionSubject['scopes'] {
  const [first] = places
  const versions = new Set(places.map(({ family, version }) => JSON.stringify([family.id, version]))).size
  const families = new Map(places.map(({ family }) => [family.id, family.name]))
  if (first !== undefined && versions === 1) return scopesOfVersion(first.version, first.family.name)
  return {
    only: `Only the ${formatCount(versions)} versions that are selected`,
    every:
      families.size <= 3
        ? visibleText(`Every version of ${[...families.values()].join(', ')}`)
        : `Every version of the ${formatCount(families.size)} families`,
  }
}

/** The form before it is sent; field names are those of the request body. */
export type DecisionDraft = {
  verdict: Verdict | null
  justification: Justification | null
  comment: string
  everyVersion: boolean
  /** Last day of validity, a calendar day in the member's zone: `2027-03-31`; '' for none. */
  expiresAt: string
}

/** A new decision starts from the one in force. */
export function draftOf(present: Decision | undefined): DecisionDraft {
  return {
    verdict: present?.verdict ?? null,
    justification: present?.justification ?? null,
    comment: present?.comment ?? '',
    everyVersion: present?.everyVersion ?? false,
    expiresAt: '',
  }
}

/** Problems of the draft by field, in words; empty when it can be sent. The service checks it again. */
export function draftProblems(draft: DecisionDraft, today: string): Record<string, string> {
  const problems: Record<string, string> = {}
  if (draft.verdict === null) problems['verdict'] = 'Choose a verdict.'
  if (draft.verdict === 'not_affected' && draft.justification === null && draft.comment.trim() === '')
    problems['justification'] = '“Not affected” needs a reason: choose one, or explain it in the comment.'
  if (draft.expiresAt !== '' && draft.expiresAt < today)
    problems['expiresAt'] = 'This day has passed. Choose today or later.'
  return problems
}

/** The request body. The decision applies through the last day in the member's zone. */
export function decisionOf(draft: DecisionDraft & { verdict: Verdict }, findingIds: string[]): NewDecision {
  const isNotAffected = draft.verdict === 'not_affected'
  return {
    findingIds,
    verdict: draft.verdict,
    justification: isNotAffected ? draft.justification : null,
    comment: draft.comment.trim(),
    everyVersion: draft.everyVersion,
    expiresAt: draft.expiresAt === '' ? null : new Date(`${draft.expiresAt}T23:59:59.999`).toISOString(),
  }
}

/** The calendar day of a time in the member's zone. */
export function dayOf(timeMs: number): string {
  const time = new Date(timeMs)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
}
