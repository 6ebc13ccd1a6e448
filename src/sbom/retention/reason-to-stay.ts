import type { SbomRetention, StayReason } from '../../contract/sbom/retention.ts'
import { dayMs, hourMs } from '../../contract/durations.ts'

/** The names of what has to be kept. */
export type NamedBy = Extract<StayReason, 'report' | 'incident' | 'advisory' | 'evidence'>

/** An SBOM that a later one of the same version has replaced. */
export type ReplacedSbom = {
  id: string
  /** Among the replaced ones of its version, the newest first, from 1 on. */
  place: number
  replacedAt: Date
  sizeBytes: number
  components: number
  /** It has been matched, or that was given up. */
  isSettled: boolean
  namedBy: NamedBy | null
}

type Asked = {
  setting: SbomRetention
  /** The last day of the support period; null: it is not known. */
  supportEndsOn: string | null
  now: Date
}

/** Why a replaced SBOM stays; null: it goes. */
export function reasonToStay(sbom: ReplacedSbom, { setting, supportEndsOn, now }: Asked): StayReason | null {
  if (isKeptBySetting(sbom, setting, now)) return 'setting'
  if (sbom.namedBy !== null) return sbom.namedBy
  if (!setting.isCraLifted && isCoveredByCra(sbom, { supportEndsOn, now })) return 'cra'
  return sbom.isSettled ? null : 'matching'
}

function isKeptBySetting(
  { place, replacedAt }: ReplacedSbom,
  { keep, amount }: SbomRetention,
  now: Date,
): boolean {
  if (keep === 'all' || amount === null) return true
  if (keep === 'last') return place <= amount
  return now.getTime() < replacedAt.getTime() + amount * dayMs
}

const craYears = 10
/** How much later than in UTC a day ends where it ends last. */
const latestDayMs = 12 * hourMs

/**
 * CRA Art. 13(13): the technical documentation, and the SBOM is a part of it (Annex VII), is kept for at least ten years after the product was
 * placed on the market, or for the support period, whichever is longer. What an SBOM documents was last placed on the market when the
 * next one took its place. Where the end of support is not known, it cannot be said which is longer, and the SBOM stays.
 */
function isCoveredByCra(
  { replacedAt }: ReplacedSbom,
  { supportEndsOn, now }: Pick<Asked, 'supportEndsOn' | 'now'>,
): boolean {
  if (supportEndsOn === null) return true
  const tenYearsOn = new Date(replacedAt)
  tenYearsOn.setUTCFullYear(tenYearsOn.getUTCFullYear() + craYears)
  const supportEnded = new Date(Date.parse(supportEndsOn) + dayMs + latestDayMs)
  return now < tenYearsOn || now < supportEnded
}
