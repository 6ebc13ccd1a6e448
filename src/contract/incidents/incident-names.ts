import type { Regime, ReportStage } from '../alerts/events.ts'
import type { Catalogue } from '../findings/shapes.ts'
import type { DeterminationValue, NotRequiredReason } from './words.ts'

export const regimeNames: Record<Regime, string> = {
  cra: 'Cyber Resilience Act',
  digitalsikkerhetsloven: 'Digitalsikkerhetsloven',
  gdpr: 'GDPR',
  dora: 'DORA',
}

export const stageNames: Record<ReportStage, string> = {
  early_warning: 'Early warning',
  notification: 'Notification',
  initial_notification: 'Initial notification',
  intermediate_report: 'Intermediate report',
  final_report: 'Final report',
}

export const catalogueNames: Record<Catalogue, string> = { kev: 'CISA KEV', euvd: 'ENISA EUVD' }

export const valueNames: Record<DeterminationValue, string> = {
  actively_exploited: 'Actively exploited',
  not_exploited: 'Not exploited',
  not_affected: 'Not affected',
  severe_incident: 'Severe incident',
  not_severe: 'Not severe',
  dora_major: 'Major incident (DORA)',
  dora_not_major: 'Not a major incident (DORA)',
}

/** Why a report is not required. */
export const notRequiredNames: Record<NotRequiredReason, string> = {
  before_application: 'Known before the law asked for reports.',
  determination: 'The approved determination says so.',
  classification_rejected: 'The classification as major was rejected.',
  regime_off: 'The regime is switched off for this incident.',
  no_risk: 'A risk to people is unlikely (GDPR Art. 33(1)).',
}
