import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { SbomDetail } from '#contract/sbom/rows.ts'
import { getFamily, listFamilies, listFamilyNames, listFamilySboms } from '#contract/products/operations.ts'
import { getFinding } from '#contract/findings/operations.ts'
import { getSbom, listComponents, listFindingIds, listFindings } from '#contract/sbom/operations.ts'
import { getSession, getSetupState } from '#contract/people/operations/session.ts'
import { listSources } from '#contract/sources/operations.ts'
import { listTokens } from '#contract/tokens/operations.ts'
import { getWorkspace } from '#contract/workspace/operations.ts'
import { asked, type FamiliesSearch, type Filter } from '../../page-search.ts'
import { pagesOf, queryOf } from './query-of.ts'

export const sessionQuery = queryOptions({ ...queryOf(getSession, {}), staleTime: 60_000 })

export function setupQuery(secret: string) {
  return queryOf(getSetupState, { body: { secret } })
}

export function workspaceQuery(slug: string) {
  return queryOptions({ ...queryOf(getWorkspace, { params: { slug } }), staleTime: 30_000 })
}

export type FamilyFilter = Pick<FamiliesSearch, 'archived' | 'search' | 'sort'>

export function familiesQuery(slug: string, filter: FamilyFilter) {
  return infiniteQueryOptions({
    ...pagesOf(listFamilies, { params: { slug }, query: asked(filter) }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  })
}

/** Every family in use, to choose one of them. */
export function familyNamesQuery(slug: string) {
  return queryOptions({
    ...queryOf(listFamilyNames, { params: { slug } }),
    select: ({ families }) => families,
    refetchInterval: 30_000,
  })
}

export function familyQuery(slug: string, family: string) {
  return queryOptions({ ...queryOf(getFamily, { params: { slug, family } }), refetchInterval: 30_000 })
}

const untilFirstUploadMs = 3_000
const afterFirstUploadMs = 30_000

/** The SBOM history of a family; looked at often until the first upload arrives. */
export function familySbomsQuery(slug: string, family: string) {
  return infiniteQueryOptions({
    ...pagesOf(listFamilySboms, { params: { slug, family } }),
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.total === 0 ? untilFirstUploadMs : afterFirstUploadMs,
  })
}

const whileMatchingMs = 2_000
const afterMatchingMs = 60_000

/** One SBOM; followed closely while matching runs. */
export function sbomQuery(slug: string, sbom: string) {
  return queryOptions({
    ...queryOf(getSbom, { params: { slug, sbom } }),
    refetchInterval: ({ state }) => (isMatching(state.data) ? whileMatchingMs : afterMatchingMs),
  })
}

export function isMatching(sbom: Pick<SbomDetail, 'status'> | undefined): boolean {
  return sbom?.status === 'received' || sbom?.status === 'parsed'
}

export function componentsQuery(slug: string, sbom: string, filter: Filter<typeof listComponents>) {
  return pagesOf(listComponents, { params: { slug, sbom }, query: filter })
}

export type FindingFilter = Filter<typeof listFindings>

export function findingsQuery(slug: string, sbom: string, filter: FindingFilter) {
  return pagesOf(listFindings, { params: { slug, sbom }, query: asked(filter) })
}

/** Which findings an act on all that fit a filter is about; asked when it is wanted. */
export function findingIdsQuery(slug: string, sbom: string, filter: Filter<typeof listFindingIds>) {
  return queryOptions({
    ...queryOf(listFindingIds, { params: { slug, sbom }, query: asked(filter) }),
    staleTime: 0,
  })
}

export function findingQuery(slug: string, finding: string) {
  return queryOf(getFinding, { params: { slug, finding } })
}

export function tokensQuery(slug: string) {
  return queryOptions({
    ...queryOf(listTokens, { params: { slug } }),
    select: ({ tokens }) => tokens,
    refetchInterval: 30_000,
  })
}

export function sourcesQuery(slug: string) {
  return queryOptions({ ...queryOf(listSources, { params: { slug } }), refetchInterval: 30_000 })
}
