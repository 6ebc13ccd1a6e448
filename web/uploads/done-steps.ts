import type { FamilyDetail } from '#contract/products/shapes.ts'
import type { TokenRow } from '#contract/tokens/shapes.ts'

type Family = Pick<FamilyDetail, 'id'> & { versions: readonly { activeSbom: unknown }[] }
type Token = Pick<TokenRow, 'kind' | 'family' | 'status' | 'lastUsedAt'>

/** The completed steps towards uploads from a pipeline: the family has a working token, and something was sent with it. */
export function doneSteps(family: Family, tokens: readonly Token[]): { token: boolean; sent: boolean } {
  const own = tokens.filter(
    (token) => token.kind === 'upload' && token.family?.id === family.id && token.status === 'Active',
  )
  const isUsed = own.some(({ lastUsedAt }) => lastUsedAt !== null)
  return {
    token: own.length > 0,
    sent: isUsed && family.versions.some(({ activeSbom }) => activeSbom !== null),
  }
}
