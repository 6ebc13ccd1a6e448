import type { SbomRetention, StayReason } from '#contract/sbom/retention.ts'
import { formatNoun } from '../../kit/text/format.ts'

/** The setting as a sentence. */
export function retentionWords({ keep, amount }: Pick<SbomRetention, 'keep' | 'amount'>): string {
  if (keep === 'all' || amount === null) return 'All replaced SBOMs are kept.'
  if (keep === 'days') return `Replaced SBOMs are kept for ${formatNoun(amount, 'day')}.`
  return amount === 1
    ? 'The last replaced SBOM of each version is kept.'
    : `The last ${formatNoun(amount, 'replaced SBOM')} of each version are kept.`
}

/** The setting that removed an SBOM, in words: `the last 5 of each version`. */
export function ruleWords({ keep, amount }: Pick<SbomRetention, 'keep' | 'amount'>): string {
  if (amount === null) return ''
  return keep === 'days' ? formatNoun(amount, 'day') : `last ${amount} of each version`
}

/** Why replaced SBOMs stay, as the end of "12 stay: …". */
export const stayWords: Record<StayReason, string> = {
  setting: 'kept by this setting',
  report: 'named by a report to an authority or from outside',
  incident: 'named by an incident',
  advisory: 'of a version that an advisory names',
  evidence: 'named by evidence of a verdict or an incident',
  cra: 'covered by CRA Art. 13(13)',
  matching: 'not matched yet',
}
