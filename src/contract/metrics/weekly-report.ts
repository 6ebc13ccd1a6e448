import type { Regime, ReportStage } from '../alerts/events.ts'
import type { DataBehind } from '../sbom/result.ts'
import type { Severity } from '../severities.ts'

/** What changed in findings in a week; those of families in use. */
export type WeeklyFindings = {
  opened: number
  /** Declared not affected or fixed. */
  settled: number
  /** The component or the record is gone. */
  closed: number
  /** At the end of the week, and at its beginning. */
  open: number
  before: number
  bySeverity: Record<Severity, number>
  /** Newly known to be exploited, and the first few vulnerabilities by the id shown. */
  exploited: number
  vulnerabilities: string[]
}

/** A report to an authority that is still to be submitted: where incidents on one vulnerability need the same one, the one due first. */
export type WeeklyDeadline = {
  reference: string
  regime: Regime
  report: ReportStage
  dueAt: string
  /** In how many incidents it is to be filed; 1 where it is left out. */
  incidents?: number
}

/** Times are ISO 8601 UTC. Exercises are not in it. */
export type WeeklyReport = {
  since: string
  until: string
  /** null: monitoring is paused. */
  findings: WeeklyFindings | null
  incidents: { opened: number; closed: number }
  /** Due within seven days from the end of the week, overdue ones first; `more` reports are counted and not named. */
  deadlines: WeeklyDeadline[]
  more: number
  overdue: number
  /** null: monitoring is paused. `before`: a week ago; null where it was not counted. */
  coverage: {
    covered: number
    components: number
    before: { covered: number; components: number } | null
    /** How old the data behind it are, at the time of the report; absent in older reports. */
    data?: DataBehind
  } | null
}
