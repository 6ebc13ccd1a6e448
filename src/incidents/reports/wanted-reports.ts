import type { Regime, ReportStage } from '../../contract/alerts/events.ts'
import type { IncidentKind, NotRequiredReason, ReportState } from '../../contract/incidents/words.ts'
import { clockRules, craReportingFrom, rulesFor, type ClockRule } from '../clocks/rules.ts'
import { anchorOf, dueAt, type ClockFacts } from '../clocks/report-clock.ts'

/** A regime on an incident. */
export type RegimeFacts = {
  regime: Regime
  isActive: boolean
  /** Its own awareness; null: that of the incident. */
  awareAt: Date | null
  /** When it was classified as major (DORA). */
  classifiedAt: Date | null
  /**
   * What ends its open reports without a submission: a negative determination that was approved, a classification that was rejected, a
   * breach without risk. null: nothing.
   */
  waiver: Exclude<NotRequiredReason, 'before_application' | 'regime_off'> | null
}

/** Everything on which the reports of an incident depend. */
export type ReportFacts = {
  kind: IncidentKind
  awareAt: Date
  measureAvailableAt: Date | null
  timeZone: string
  regimes: readonly RegimeFacts[]
  /** Of the present cycle. `report` was filed at `at`, amendments left out. */
  submissions: readonly { regime: Regime; report: ReportStage; at: Date }[]
}

/** A report as it has to be stored. */
export type WantedReport = {
  regime: Regime
  report: ReportStage
  state: ReportState
  dueAt: Date | null
  leadHours: number
  reason: NotRequiredReason | null
  /** Of the first submission. */
  submittedAt: Date | null
}

/**
 * The reports of an incident's present cycle that follow from its facts. Submitted ones stay submitted; every other is open when its time
 * can be counted, waits when it cannot, or is not required, with the reason (docs/incidents.md).
 */
export function wantedReports(facts: ReportFacts): WantedReport[] {
  return facts.regimes.flatMap((regime) => {
    const { awareAt, rules, applies } = rulesOf(regime, facts)
    return rules.map((rule) => wantedReport(rule, { facts, regime, awareAt, applies }))
  })
}

/**
 * The earliest time at which a report can have been filed: the instant its time is counted from, or awareness while it waits for that.
 * undefined: the incident has no such report.
 */
export function earliestFiling(
  facts: ReportFacts,
  { regime: wanted, report }: Pick<WantedReport, 'regime' | 'report'>,
): { at: Date; what: 'the awareness' | 'what its time is counted from' } | undefined {
  const regime = facts.regimes.find((one) => one.regime === wanted)
  if (regime === undefined) return undefined
  const { awareAt, rules } = rulesOf(regime, facts)
  const rule = rules.find((one) => one.report === report)
  if (rule === undefined) return undefined
  const anchor = anchorOf(rule, clockFacts({ facts, regime, awareAt }))
  if (anchor === null || rule.anchor === 'awareness') return { at: awareAt, what: 'the awareness' }
  return { at: anchor, what: 'what its time is counted from' }
}

/** The rules in force at its awareness, or the future ones; `applies`: whether they are in force. */
function rulesOf(regime: RegimeFacts, facts: ReportFacts) {
  const awareAt = regime.awareAt ?? facts.awareAt
  const inForce = rulesFor(regime.regime, facts.kind, awareAt)
  const applies = inForce.length > 0
  return { awareAt, rules: applies ? inForce : rulesOfLaw(regime.regime, facts.kind), applies }
}

/** What a regime asks for once it applies. */
function rulesOfLaw(regime: Regime, kind: IncidentKind): readonly ClockRule[] {
  return clockRules.filter((rule) => rule.regime === regime && rule.kinds.includes(kind))
}

type RegimeClock = { facts: ReportFacts; regime: RegimeFacts; awareAt: Date }

function clockFacts({ facts, regime, awareAt }: RegimeClock): ClockFacts {
  return {
    awareAt,
    measureAvailableAt: facts.measureAvailableAt,
    classifiedAt: regime.classifiedAt,
    submissions: facts.submissions.filter((submission) => submission.regime === regime.regime),
    timeZone: facts.timeZone,
  }
}

function wantedReport(
  rule: ClockRule,
  { applies, ...known }: RegimeClock & { applies: boolean },
): WantedReport {
  const { regime } = known
  const clock = clockFacts(known)
  const due = dueAt(rule, clock)
  const base = { regime: rule.regime, report: rule.report, leadHours: rule.leadHours }
  const filed = clock.submissions
    .filter(({ report }) => report === rule.report)
    .map(({ at }) => at)
    .sort((one, other) => one.getTime() - other.getTime())[0]
  if (filed !== undefined)
    return { ...base, state: 'submitted', dueAt: due, reason: null, submittedAt: filed }
  const reason = reasonOf(regime, applies)
  if (reason !== null) return { ...base, state: 'not_required', dueAt: due, reason, submittedAt: null }
  return { ...base, state: due === null ? 'waiting' : 'open', dueAt: due, reason: null, submittedAt: null }
}

function reasonOf({ isActive, waiver }: RegimeFacts, applies: boolean): NotRequiredReason | null {
  if (!applies) return 'before_application'
  return isActive ? waiver : (waiver ?? 'regime_off')
}

/** Whether the CRA asks for reports about what became known then (Art. 71(2)). */
export function isBeforeApplication(awareAt: Date): boolean {
  return awareAt < craReportingFrom
}
