import type { Regime, ReportStage } from '../../contract/alerts/events.ts'
import { incidentKinds, type IncidentKind } from '../../contract/incidents/words.ts'
import type { Period } from './count-time.ts'

/**
 * The anchor from which a report's time is counted. Until it exists the report waits for it.
 *
 * - `awareness`: the regime's own awareness.
 * - `measure`: the later of awareness and the moment a corrective or mitigating measure became available.
 * - `classification`: that of DORA as a major incident.
 * - `first_submission`: of any report of the regime.
 * - a stage: the submission of that report; of several, the last.
 */
export type Anchor = 'awareness' | 'measure' | 'classification' | 'first_submission' | ReportStage

/** One report a regime asks for, and when. A change of law is a new row, with the days between which it holds. */
export type ClockRule = {
  regime: Regime
  /** The kinds of incidents for which the regime asks this. */
  kinds: readonly IncidentKind[]
  report: ReportStage
  anchor: Anchor
  period: Period
  /** The latest due time after awareness, unless the anchor itself is later than that. */
  withinOfAwareness?: Period
  /** How long before it is due people are warned, once. */
  leadHours: number
  /** An awareness from this instant on; null: any. */
  validFrom: Date | null
  /** An awareness before this instant; null: without end. */
  validTo: Date | null
  /** Where the law says so. */
  basis: string
}

const hours = (amount: number): Period => ({ amount, unit: 'hours' })
const days = (amount: number): Period => ({ amount, unit: 'days' })
const months = (amount: number): Period => ({ amount, unit: 'months' })

const anyKind = incidentKinds
/** 11 September 2026, 00:00 in Brussels (Regulation (EU) 2024/2847, Art. 71(2)). */
export const craReportingFrom = new Date('2026-09-10T22:00:00.000Z')

const cra = { regime: 'cra', validFrom: craReportingFrom, validTo: null } as const
const norway = { regime: 'digitalsikkerhetsloven', kinds: anyKind, validFrom: null, validTo: null } as const
const norwegianBasis = 'digitalsikkerhetsloven § 8; Regulation 2025-06-20-1131 § 17'
const dora = { regime: 'dora', kinds: anyKind, validFrom: null, validTo: null } as const

/** Every report that some regime asks for, in the order of its stages. */
export const clockRules: readonly ClockRule[] = [
  {
    ...cra,
    kinds: anyKind,
    report: 'early_warning',
    anchor: 'awareness',
    period: hours(24),
    leadHours: 4,
    basis: 'CRA Art. 14(2)(a), 14(4)(a)',
  },
  {
    ...cra,
    kinds: anyKind,
    report: 'notification',
    anchor: 'awareness',
    period: hours(72),
    leadHours: 4,
    basis: 'CRA Art. 14(2)(b), 14(4)(b)',
  },
  {
    ...cra,
    kinds: ['vulnerability'],
    report: 'final_report',
    anchor: 'measure',
    period: days(14),
    leadHours: 72,
    basis: 'CRA Art. 14(2)(c)',
  },
  {
    ...cra,
    kinds: ['severe_incident'],
    report: 'final_report',
    anchor: 'notification',
    period: months(1),
    leadHours: 72,
    basis: 'CRA Art. 14(4)(c)',
  },
  {
    ...norway,
    report: 'early_warning',
    anchor: 'awareness',
    period: hours(24),
    leadHours: 4,
    basis: norwegianBasis,
  },
  {
    ...norway,
    report: 'notification',
    anchor: 'awareness',
    period: hours(72),
    leadHours: 4,
    basis: norwegianBasis,
  },
  {
    ...norway,
    report: 'final_report',
    anchor: 'first_submission',
    period: months(1),
    leadHours: 72,
    basis: norwegianBasis,
  },
  {
    regime: 'gdpr',
    kinds: anyKind,
    report: 'notification',
    anchor: 'awareness',
    period: hours(72),
    leadHours: 4,
    validFrom: null,
    validTo: null,
    basis: 'GDPR Art. 33(1)',
  },
  {
    ...dora,
    report: 'initial_notification',
    anchor: 'classification',
    period: hours(4),
    withinOfAwareness: hours(24),
    leadHours: 1,
    basis: 'DORA Art. 19(4)(a); Delegated Regulation (EU) 2025/301, Art. 5(1)(a), 5(2)',
  },
  {
    ...dora,
    report: 'intermediate_report',
    anchor: 'initial_notification',
    period: hours(72),
    leadHours: 4,
    basis: 'Delegated Regulation (EU) 2025/301, Art. 5(1)(b)',
  },
  {
    ...dora,
    report: 'final_report',
    anchor: 'intermediate_report',
    period: months(1),
    leadHours: 72,
    basis: 'Delegated Regulation (EU) 2025/301, Art. 5(1)(c)',
  },
]

/** The reports of a regime for an incident, by the rules that hold at its awareness. None: the regime did not apply then. */
export function rulesFor(regime: Regime, kind: IncidentKind, awareAt: Date): readonly ClockRule[] {
  return clockRules.filter(
    (rule) =>
      rule.regime === regime &&
      rule.kinds.includes(kind) &&
      (rule.validFrom === null || rule.validFrom <= awareAt) &&
      (rule.validTo === null || awareAt < rule.validTo),
  )
}
