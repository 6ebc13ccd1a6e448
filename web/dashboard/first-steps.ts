import type { FamilyName } from '#contract/products/shapes.ts'
import type { TokenRow } from '#contract/tokens/shapes.ts'

export type FirstStep = {
  id: 'family' | 'token' | 'sbom'
  name: string
  why: string
  verb: string
  isDone: boolean
}

/** The steps before the first finding. A workspace with an SBOM has done them all, however the SBOM was sent. */
export function firstSteps(
  families: Pick<FamilyName, 'lastUploadAt'>[],
  tokens: Pick<TokenRow, 'kind' | 'status'>[],
): FirstStep[] {
  const hasSbom = families.some(({ lastUploadAt }) => lastUploadAt !== null)
  const hasToken = tokens.some(({ kind, status }) => kind === 'upload' && status === 'Active')
  return [
    {
      id: 'family',
      name: 'Create a product family',
      why: 'A product you sell. Its versions are added by its SBOMs.',
      verb: 'Create family',
      isDone: families.length > 0,
    },
    {
      id: 'token',
      name: 'Create an upload token',
      why: 'The family’s pipeline uses it to send SBOMs.',
      verb: 'Create token',
      isDone: hasToken || hasSbom,
    },
    {
      id: 'sbom',
      name: 'Send the first SBOM',
      why: 'From then on, every new vulnerability is checked against it.',
      verb: 'Show how',
      isDone: hasSbom,
    },
  ]
}
