import type { Regime, ReportStage } from '#contract/alerts/events.ts'
import { stageNames } from '#contract/incidents/incident-names.ts'
import type {
  CloseBlocker,
  DeterminationState,
  DeterminationValue,
  IncidentKind,
  IncidentSource,
  NotRequiredReason,
  SuggestedRegime,
} from '#contract/incidents/words.ts'

/** Words of pages about incidents: the same word for the same thing everywhere. */

export const regimeNames: Record<Regime, string> = {
  cra: 'CRA',
  digitalsikkerhetsloven: 'Digitalsikkerhetsloven',
  gdpr: 'GDPR',
  dora: 'DORA',
}

/** A report, beside those of the same incident. */
export function reportName({ regime, report }: { regime: Regime; report: ReportStage }): string {
  return `${regimeNames[regime]}: ${stageNames[report].toLowerCase()}`
}

/** Short forms. */
export const regimeMarks: Record<Regime, string> = { ...regimeNames, digitalsikkerhetsloven: 'NO' }

export const regimeTitles: Record<Regime, string> = {
  cra: 'Cyber Resilience Act, Article 14',
  digitalsikkerhetsloven: 'Norwegian Digital Security Act, section 8',
  gdpr: 'General Data Protection Regulation, Article 33',
  dora: 'Digital Operational Resilience Act, Article 19',
}

/** The condition under which a regime applies that a member has to switch on. */
export const regimeQuestions: Record<SuggestedRegime, string> = {
  gdpr: 'if personal data are affected',
  digitalsikkerhetsloven: 'if it has a significant effect on a covered service',
}

/** The legal test in plain words, and its consequence. */
export const valueTests: Record<DeterminationValue, string> = {
  actively_exploited:
    'There is reliable evidence that a malicious actor used the vulnerability in a system without its owner’s permission, and it can be used in this product. The reports stay due.',
  not_exploited:
    'The evidence does not show that the vulnerability was used against anyone. Severity, or a public proof of concept, is no evidence of it. The reports end once a second person approves.',
  not_affected:
    'The vulnerability cannot be used in this product: the code is missing, cannot be reached, or is protected. The reports end once a second person approves.',
  severe_incident:
    'It harms, or can harm, how the product protects sensitive or important data or functions, or let malicious code into the product or its users’ systems, such as through the build, the signing key or the update channel. The reports stay due.',
  not_severe:
    'Neither data or functions nor the way code gets into the product are in danger. The reports end once a second person approves.',
  dora_major:
    'The criteria and thresholds of Delegated Regulation (EU) 2024/1772 are met. The initial notification is due four hours after this classification.',
  dora_not_major: 'The thresholds were never met. The DORA reports end once a second person approves.',
}

export const stateNames: Record<DeterminationState, string> = {
  pending: 'waits for a second person',
  approved: 'approved',
  rejected: 'rejected',
  withdrawn: 'withdrawn',
  superseded: 'replaced',
}

export const sourceNames: Record<IncidentSource, string> = {
  kev: 'CISA KEV',
  euvd: 'European list (EUVD)',
  manual: 'by hand',
  report: 'report from outside',
}

export const reasonNames: Record<NotRequiredReason, string> = {
  before_application: 'known before the law applied',
  determination: 'by the approved determination',
  classification_rejected: 'classification rejected',
  regime_off: 'the regime is switched off',
  no_risk: 'no risk to people (Art. 33(1))',
}

export const blockerNames: Record<CloseBlocker, string> = {
  determination_missing: 'The determination is not approved yet.',
  determination_pending: 'A determination waits for a second person.',
  awareness_pending: 'A change of awareness or of a regime waits for a second person.',
  reports_open: 'Reports are neither submitted nor declared not required.',
}

/** What has to happen before a report's deadline is known. */
export function waitsFor(kind: IncidentKind, regime: Regime, report: ReportStage): string {
  if (regime === 'cra' && report === 'final_report')
    return kind === 'vulnerability' ? 'waits for a fix or a mitigation' : 'waits for the notification'
  if (report === 'initial_notification') return 'waits for the classification'
  if (regime === 'digitalsikkerhetsloven') return 'waits for the first report'
  return report === 'intermediate_report'
    ? 'waits for the initial notification'
    : 'waits for the intermediate report'
}
