import type { AlertType } from './alerts.ts'
import type { Catalogue } from './finding.ts'

/** The regimes whose clocks run on an incident. */
export const regimes = ['cra', 'digitalsikkerhetsloven', 'gdpr', 'dora'] as const
export type Regime = (typeof regimes)[number]

export const reportStages = [
  'early_warning',
  'notification',
  'initial_notification',
  'intermediate_report',
  'final_report',
] as const
export type ReportStage = (typeof reportStages)[number]

/** By scope: a decision record of the CRA, or the classification of DORA. */
export const determinations = {
  cra: ['actively_exploited', 'not_exploited', 'not_affected', 'severe_incident', 'not_severe'],
  dora: ['dora_major', 'dora_not_major'],
} as const

type IncidentName = { id: string; reference: string; title: string }

/**
 * What happened, as destinations are told (docs/public-api.md, "Events"): `data` of the body, times in ISO 8601 UTC. The types have no place for
 * what never leaves the service: reporters, their texts, drafts, and who decided and why.
 */
export type AlertData = {
  'incident.opened': {
    incident: IncidentName & {
      /** Product family. */
      family: string | null
      vulnKey: string | null
      source: Catalogue
      awareAt: string
    }
  }
  'deadline.warning': { incident: IncidentName; regime: Regime; report: ReportStage; dueAt: string }
  'approval.requested': {
    incident: IncidentName
    determination: (typeof determinations)['cra' | 'dora'][number]
    scope: keyof typeof determinations
    /** How many approvers were asked. */
    approvers: number
  }
  'report.received': {
    report: {
      /** Number in the inbox. */
      number: number
      family: string | null
      receivedAt: string
      /** Promised by the disclosure policy; null once answered. */
      acknowledgeBy: string | null
    }
  }
}

/** One of them with its data. */
export type AlertFact = { [Type in AlertType]: { type: Type; data: AlertData[Type] } }[AlertType]

/** What is delivered: an event, or a test that a member asked for. */
export type DeliveryFact = AlertFact | { type: 'test'; data: { destination: string } }
