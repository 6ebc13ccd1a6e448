import type { ReportStage } from '../../contract/alerts/events.ts'
import type { ReportState, ReportStatus } from '../../contract/incidents/words.ts'
import { addPeriod } from './count-time.ts'
import type { ClockRule } from './rules.ts'
import { hourMs } from '../../contract/durations.ts'

/** The facts from which the clocks of a regime on one incident run. */
export type ClockFacts = {
  /** The regime's own awareness: that of the incident unless it has another. */
  awareAt: Date
  /** When a corrective or mitigating measure became available; null: none yet. */
  measureAvailableAt: Date | null
  /** When it was classified as major (DORA); null: it was not. */
  classifiedAt: Date | null
  /** What was filed under this regime, amendments and updates included. */
  submissions: readonly { report: ReportStage; at: Date }[]
  /** Of the workspace; an IANA name. */
  timeZone: string
}

/** The instant from which a report's time is counted; null while it waits for its anchor. */
export function anchorOf({ anchor }: ClockRule, facts: ClockFacts): Date | null {
  const { awareAt, measureAvailableAt, classifiedAt, submissions } = facts
  switch (anchor) {
    case 'awareness':
      return awareAt
    case 'measure':
      return measureAvailableAt === null ? null : later(measureAvailableAt, awareAt)
    case 'classification':
      return classifiedAt
    case 'first_submission':
      return submissions.map(({ at }) => at).reduce<Date | null>(earliest, null)
    default:
      return submissions
        .filter(({ report }) => report === anchor)
        .map(({ at }) => at)
        .reduce<Date | null>((last, at) => (last === null ? at : later(last, at)), null)
  }
}

/** When a report is due: the earliest instant that can be defended. Null while it waits for its anchor. */
export function dueAt(rule: ClockRule, facts: ClockFacts): Date | null {
  const anchor = anchorOf(rule, facts)
  if (anchor === null) return null
  const due = addPeriod(anchor, rule.period, facts.timeZone)
  if (rule.withinOfAwareness === undefined) return due
  const limit = addPeriod(facts.awareAt, rule.withinOfAwareness, facts.timeZone)
  return anchor > limit ? due : earliest(due, limit)
}

export type ReportClock = {
  state: ReportState
  dueAt: Date | null
  submittedAt: Date | null
  leadHours: number
}

/** The status of a report at `now`. */
export function reportStatus(
  { state, dueAt: due, submittedAt, leadHours }: ReportClock,
  now: Date,
): ReportStatus {
  if (due === null) return state
  if (state === 'submitted') return submittedAt !== null && submittedAt > due ? 'late' : 'submitted'
  if (state !== 'open') return state
  if (now > due) return 'overdue'
  return now >= warnedFrom(due, leadHours) ? 'due_soon' : 'open'
}

/** From when people are warned of a report. */
export function warnedFrom(due: Date, leadHours: number): Date {
  return new Date(due.getTime() - leadHours * hourMs)
}

function later(one: Date, other: Date): Date {
  return one > other ? one : other
}

function earliest(one: Date | null, other: Date): Date {
  return one === null || other < one ? other : one
}
