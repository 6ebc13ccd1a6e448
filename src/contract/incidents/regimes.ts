import { Type, type Static } from 'typebox'
import { regimes, type Regime } from '../alerts/events.ts'
import { nullable } from '../schema.ts'
import { DoraFacts } from './dora-facts.ts'

/** Whom to report to. */
export const Authority = Type.Object({
  name: Type.String(),
  portal: nullable(Type.String()),
  phone: nullable(Type.String()),
})
export type Authority = Static<typeof Authority>

/**
 * Reports under the CRA go to one platform, whoever files them (Art. 16(1)): it is the default of its authority, and its address is shown where
 * an authority was stored without one.
 */
export const reportingPlatform: Authority = {
  name: 'ENISA Single Reporting Platform',
  portal: 'https://portal.cra-srp.enisa.europa.eu',
  phone: null,
}

/** Whom the reports of a regime go to; null: it is not entered. */
export function authorityOf(
  regime: Regime,
  authorities: Partial<Record<Regime, Authority>>,
): Authority | null {
  const stored = authorities[regime]
  if (regime !== 'cra') return stored ?? null
  return stored === undefined
    ? reportingPlatform
    : { ...stored, portal: stored.portal ?? reportingPlatform.portal }
}

/** What must be ready before a report is due, and only the company can confirm. */
export const preparations = ['account', 'representative', 'backups'] as const
export type Preparation = (typeof preparations)[number]

/** The day on which a member last confirmed that it is ready. */
export const Confirmed = Type.Partial(Type.Record(Type.Enum(preparations), Type.String()))
export type Confirmed = Static<typeof Confirmed>

export const RegimeSettings = Type.Object({
  cra: Type.Boolean(),
  digitalsikkerhetsloven: Type.Boolean(),
  gdpr: Type.Boolean(),
  dora: Type.Boolean(),
  /** Country of the main establishment, ISO 3166-1. */
  mainEstablishment: nullable(Type.String()),
  authorities: Type.Partial(Type.Record(Type.Enum(regimes), Authority)),
  confirmed: Confirmed,
  /** What the company says of itself in every report under DORA. */
  doraFacts: DoraFacts,
})
export type RegimeSettings = Static<typeof RegimeSettings>
