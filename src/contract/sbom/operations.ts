import { componentSorts, ComponentRow } from '../inventory/components.ts'
import { Page } from '../page.ts'
import { SbomDetail } from './rows.ts'
import { componentScopes } from './shapes.ts'
import { findingSorts, FindingIds, FindingPage } from '../findings/lists.ts'
import { findingFilter } from '../findings/finding-filter.ts'
import { SbomComparison } from '../inventory/shapes.ts'
import { answer, nothing, operation } from '../operation.ts'

const sbom = '/workspaces/:slug/sboms/:sbom'

/** `scope`: the widest of the finding's components. `through`: the number of a component: findings on it and on what it brings in, as the document states it. */
const findingFilterOfSbom = { ...findingFilter, scope: componentScopes, through: 'number' } as const

export const getSbom = operation({
  method: 'GET',
  path: sbom,
  permission: 'any_member',
  answer: answer(SbomDetail),
})

/** By name by default. */
export const listComponents = operation({
  method: 'GET',
  path: `${sbom}/components`,
  permission: 'any_member',
  query: { search: 'text', scope: componentScopes, sort: componentSorts, cursor: 'text' },
  answer: answer(Page(ComponentRow)),
})

/** By urgency by default. */
export const listFindings = operation({
  method: 'GET',
  path: `${sbom}/findings`,
  permission: 'any_member',
  query: { ...findingFilterOfSbom, sort: findingSorts, cursor: 'text' },
  answer: answer(FindingPage),
})

/** For an act on all matching ones. */
export const listFindingIds = operation({
  method: 'GET',
  path: `${sbom}/finding-ids`,
  permission: 'any_member',
  query: findingFilterOfSbom,
  answer: answer(FindingIds),
})

/** From `other` to `sbom`. */
export const compareSboms = operation({
  method: 'GET',
  path: `${sbom}/compare/:other`,
  permission: 'any_member',
  answer: answer(SbomComparison),
})

/** The original file. */
export const downloadSbom = operation({
  method: 'GET',
  path: `${sbom}/download`,
  permission: 'any_member',
  answer: 'file',
})

/** Makes a replaced SBOM the active one again. */
export const activateSbom = operation({
  method: 'POST',
  path: `${sbom}/activate`,
  permission: 'upload',
  answer: nothing,
})

/** After `failed`. */
export const rematchSbom = operation({
  method: 'POST',
  path: `${sbom}/rematch`,
  permission: 'upload',
  answer: nothing,
})
