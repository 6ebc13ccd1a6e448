import { queryOptions } from '@tanstack/react-query'
import { compareSboms, getSbom, listComponents } from '#contract/sbom/operations.ts'
import { getRemovedSbom } from '#contract/sbom/retention-operations.ts'
import type { SbomDetail } from '#contract/sbom/rows.ts'
import type { Filter } from '../kit/address/search.ts'
import { pagesOf, queryOf } from '../kit/api/query-of.ts'

const whileMatchingMs = 2_000
const afterMatchingMs = 60_000

/** One SBOM; polled while matching runs. */
export function sbomQuery(slug: string, sbom: string) {
  return queryOptions({
    ...queryOf(getSbom, { params: { slug, sbom } }),
    refetchInterval: ({ state }) => (isMatching(state.data) ? whileMatchingMs : afterMatchingMs),
  })
}

/** What remains of an SBOM the family no longer keeps. */
export function removedSbomQuery(slug: string, sbom: string) {
  return queryOf(getRemovedSbom, { params: { slug, removed: sbom } })
}

export function isMatching(sbom: Pick<SbomDetail, 'status'> | undefined): boolean {
  return sbom?.status === 'received' || sbom?.status === 'parsed'
}

export function componentsQuery(slug: string, sbom: string, filter: Filter<typeof listComponents>) {
  return pagesOf(listComponents, { params: { slug, sbom }, query: filter })
}

export function comparisonQuery(slug: string, sbom: string, other: string) {
  return queryOf(compareSboms, { params: { slug, sbom, other } })
}
