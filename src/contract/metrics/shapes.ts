import { Type, type Static } from 'typebox'
import { nullable, Named } from '../schema.ts'
import { severities } from '../severities.ts'

/** How many days before today a page of metrics begins. */
export const metricsPeriods = ['30', '90', '365'] as const

/** Open findings by severity at the end of a day, by what the sources say of their severity today. */
export const OpenDay = Type.Object({
  /** `2026-01-31` */
  day: Type.String(),
  open: Type.Record(Type.Enum(severities), Type.Number()),
})
export type OpenDay = Static<typeof OpenDay>

/** What was counted on a day, once it had begun. */
export const CountedDay = Type.Object({
  day: Type.String(),
  kev: Type.Number(),
  euvd: Type.Number(),
  /** Listed by any catalogue. */
  exploited: Type.Number(),
  covered: Type.Number(),
  components: Type.Number(),
})
export type CountedDay = Static<typeof CountedDay>

/** How long something took, in seconds: the median and the 90th percentile. null: there is nothing to measure. */
export const Duration = Type.Object({
  count: Type.Number(),
  medianSeconds: nullable(Type.Number()),
  p90Seconds: nullable(Type.Number()),
})
export type Duration = Static<typeof Duration>

export const SeverityTimes = Type.Object({
  severity: Type.Enum(severities),
  /** From when a finding was first seen to its first verdict, where that was given in the period. */
  verdict: Duration,
  /** Findings first seen in the period that already had a verdict, such as an earlier VEX statement. They are in no duration. */
  verdictBefore: Type.Number(),
  /** From when a finding was first seen until its product no longer had it, or a verdict declared it fixed. */
  fix: Duration,
  /** Open findings without a verdict, and how long they have been waiting. */
  waiting: Duration,
})
export type SeverityTimes = Static<typeof SeverityTimes>

/** The metrics of a family, or of all families in use, over a period, by the calendar of the workspace's zone. */
export const Metrics = Type.Object({
  family: nullable(Named),
  families: Type.Number(),
  firstDay: Type.String(),
  today: Type.String(),
  /** The day of the first SBOM: nothing was known before. null: there is none. */
  knownSince: nullable(Type.String()),
  /** The first day and each day of the period that changed a count, oldest first. */
  open: Type.Array(OpenDay),
  /** The first day on which anything was counted; null: not yet. */
  countedSince: nullable(Type.String()),
  /** The days of the period on which all these families were counted, oldest first; the last is now. */
  counted: Type.Array(CountedDay),
  /** The most severe first; severities without anything are left out. */
  times: Type.Array(SeverityTimes),
  all: Type.Omit(SeverityTimes, ['severity']),
})
export type Metrics = Static<typeof Metrics>
