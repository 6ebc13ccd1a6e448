import { queryOptions } from '@tanstack/react-query'
import { getFinding } from '#contract/findings/operations.ts'
import { listFindingIds, listFindings } from '#contract/sbom/operations.ts'
import { asked, type Filter } from '../kit/address/search.ts'
import { pagesOf, queryOf } from '../kit/api/query-of.ts'

export type FindingFilter = Filter<typeof listFindings>

export function findingsQuery(slug: string, sbom: string, filter: FindingFilter) {
  return pagesOf(listFindings, { params: { slug, sbom }, query: asked(filter) })
}

/** The ids of all findings that match a filter, for a bulk action; requested on demand. */
export function findingIdsQuery(slug: string, sbom: string, filter: Filter<typeof listFindingIds>) {
  return queryOptions({
    ...queryOf(listFindingIds, { params: { slug, sbom }, query: asked(filter) }),
    staleTime: 0,
  })
}

export function findingQuery(slug: string, finding: string) {
  return queryOf(getFinding, { params: { slug, finding } })
}
