import type { Severity } from '../severities.ts'

/** Of a page of metrics: how many days before today it begins. */
export const metricsPeriods = ['30', '90', '365'] as const

/** Open findings by severity at the end of a day, by what the sources say of their severity today. */
export type OpenDay = {
  /** `2026-01-31` */
  day: string
  open: Record<Severity, number>
}

/** What was counted on a day, once it had begun. */
export type CountedDay = {
  day: string
  kev: number
  euvd: number
  /** Listed by any catalogue. */
  exploited: number
  covered: number
  components: number
}

/** How long something took, in seconds: the middle, and what nine of ten did not exceed. null: there is nothing to measure. */
export type Duration = { count: number; medianSeconds: number | null; p90Seconds: number | null }

export type SeverityTimes = {
  severity: Severity
  /** From when a finding was first seen to its first verdict, where that was given in the period. */
  verdict: Duration
  /** Findings first seen in the period that had a verdict already, such as a VEX statement sent before. They are in no duration. */
  verdictBefore: number
  /** From when a finding was first seen until its product no longer had it, or a verdict declared it fixed. */
  fix: Duration
  /** Open findings without a verdict, and how long they have been waiting. */
  waiting: Duration
}

/** How a family, or all families in use, did over a period, by the calendar of the workspace's zone. */
export type Metrics = {
  family: { id: string; name: string } | null
  families: number
  firstDay: string
  today: string
  /** The day of the first SBOM: nothing was known before. null: there is none. */
  knownSince: string | null
  /** The first day and each day of the period that changed a count, oldest first. */
  open: OpenDay[]
  /** The first day on which anything was counted; null: not yet. */
  countedSince: string | null
  /** The days of the period on which all these families were counted, oldest first; the last is now. */
  counted: CountedDay[]
  /** The most severe first; severities without anything are left out. */
  times: SeverityTimes[]
  all: Omit<SeverityTimes, 'severity'>
}
