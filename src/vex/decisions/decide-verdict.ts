import { verdicts, type Justification, type Verdict } from '../../contract/vex/shapes.ts'
import { compareText } from '../../versions/compare.ts'

/** A statement of a document in force, as far as its rank among others goes. */
export type Claim = {
  documentId: string
  number: number
  verdict: Verdict
  justification: Justification | null
  /** Its document holds for one version, not for every one. */
  isForVersion: boolean
  /** It speaks of the product as a whole, not of the component. */
  isWholeProduct: boolean
  statedAt: Date | null
  receivedAt: Date
}

/** A decision in force, as far as its rank among others goes. */
export type StandingDecision = {
  id: string
  verdict: Verdict
  justification: Justification | null
  isForVersion: boolean
  decidedAt: Date
}

/**
 * Sorts the statement that decides first (docs/decisions/0010): for the version before for every version; on the component
 * before on the whole product; the later statement time, none being the earliest; the later upload time; the more cautious
 * verdict. Statements equal in all of these have the same effect; their place only keeps the order stable.
 */
export function compareClaims(a: Claim, b: Claim): number {
  return (
    Number(b.isForVersion) - Number(a.isForVersion) ||
    Number(a.isWholeProduct) - Number(b.isWholeProduct) ||
    timeOf(b.statedAt) - timeOf(a.statedAt) ||
    b.receivedAt.getTime() - a.receivedAt.getTime() ||
    verdicts.indexOf(a.verdict) - verdicts.indexOf(b.verdict) ||
    compareText(a.documentId, b.documentId) ||
    a.number - b.number
  )
}

/** Sorts the decision that counts first: for the version before for every version, then the later one. */
export function compareDecisions(a: StandingDecision, b: StandingDecision): number {
  return (
    Number(b.isForVersion) - Number(a.isForVersion) ||
    b.decidedAt.getTime() - a.decidedAt.getTime() ||
    compareText(b.id, a.id)
  )
}

/**
 * The claim for a finding, from those for each of its components: the most cautious. A component without a claim keeps the
 * finding open, whatever is said about the others, but does not hide that one of them is affected.
 */
export function claimOfComponents(claims: readonly (Claim | null)[]): Claim | null {
  const [first] = claims.toSorted((a, b) => caution(a) - caution(b) || (a && b ? compareClaims(a, b) : 0))
  return first ?? null
}

function caution(claim: Claim | null): number {
  if (claim === null) return 0.5
  return verdicts.indexOf(claim.verdict)
}

function timeOf(time: Date | null): number {
  return time?.getTime() ?? Number.MIN_SAFE_INTEGER
}
