import { Type, type Static } from 'typebox'
import { Page } from '../page.ts'
import { extended, nullable, time } from '../schema.ts'
import { sbomFormats } from './shapes.ts'

/** What a family keeps of the SBOMs that a later one of the same version has replaced: all; the last so many of each version; each for so many days. */
export const sbomKeeps = ['all', 'last', 'days'] as const
export type SbomKeep = (typeof sbomKeeps)[number]

/** The largest amounts allowed. */
export const sbomRetentionLimits = { last: 1_000, days: 36_500 } as const

export const SbomRetention = Type.Object({
  keep: Type.Enum(sbomKeeps),
  /** SBOMs or days; null where all are kept. */
  amount: nullable(Type.Integer()),
  /** The company has decided that CRA Art. 13(13) does not require any of them to be kept. */
  isCraLifted: Type.Boolean(),
})
export type SbomRetention = Static<typeof SbomRetention>

export const keepsAll: SbomRetention = { keep: 'all', amount: null, isCraLifted: false }

/** As it is kept with a family; null where it was never changed or decided. */
export const KeptSbomRetention = extended(SbomRetention, {
  craLiftedAt: nullable(time),
  craLiftedBy: nullable(Type.String()),
  changedAt: nullable(time),
  changedBy: nullable(Type.String()),
})
export type KeptSbomRetention = Static<typeof KeptSbomRetention>

/**
 * Why a replaced SBOM stays, in the order in which the reasons are checked. `setting`: the setting keeps it. `report`, `incident`: one to an authority or from
 * outside, an incident. `evidence`: the evidence of a verdict, or what somebody wrote down, names it. `cra`: Art. 13(13) covers it.
 * `matching`: it has not been matched yet.
 */
export const stayReasons = [
  'setting',
  'report',
  'incident',
  'advisory',
  'evidence',
  'cra',
  'matching',
] as const
export type StayReason = (typeof stayReasons)[number]

const Amount = Type.Object({ sboms: Type.Number(), sizeBytes: Type.Number() })

/** What a setting would remove now, counted. */
export const SbomRetentionCount = Type.Object({
  /** Those that a later one of the same version has replaced. */
  replaced: Amount,
  goes: Amount,
  stays: Type.Array(extended(Amount, { why: Type.Enum(stayReasons) })),
  /** Of the product facts: Art. 13(13) asks for it. */
  supportEndsOn: nullable(Type.String()),
})
export type SbomRetentionCount = Static<typeof SbomRetentionCount>

/** What is left of an SBOM that was removed. */
export const RemovedSbom = Type.Object({
  id: Type.String(),
  version: nullable(Type.String()),
  sha256: Type.String(),
  format: Type.Enum(sbomFormats),
  specVersion: Type.String(),
  sizeBytes: Type.Number(),
  components: Type.Number(),
  /** Of its version on its components, closed ones too. They stay. */
  findings: Type.Number(),
  receivedAt: time,
  replacedAt: time,
  removedAt: time,
  /** The setting by which it went. */
  keep: Type.Enum(['last', 'days'] as const),
  amount: Type.Integer(),
  isCraLifted: Type.Boolean(),
})
export type RemovedSbom = Static<typeof RemovedSbom>

export const RemovedSbomDetail = Type.Object({
  ...RemovedSbom.properties,
  family: Type.Object({ id: Type.String(), name: Type.String() }),
})
export type RemovedSbomDetail = Static<typeof RemovedSbomDetail>

export const RemovedSbomPage = Page(RemovedSbom)
