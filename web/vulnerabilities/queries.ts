import { queryOptions } from '@tanstack/react-query'
import { getVulnerability, listExploited, listVulnerabilities } from '#contract/vulnerabilities/operations.ts'
import { asked } from '../kit/address/search.ts'
import { pagesOf, queryOf } from '../kit/api/query-of.ts'
import type { VulnerabilitiesSearch } from './area.ts'

export function vulnerabilitiesQuery(slug: string, filter: VulnerabilitiesSearch) {
  return pagesOf(listVulnerabilities, { params: { slug }, query: asked(filter) })
}

export function vulnerabilityQuery(slug: string, vulnerability: string) {
  return queryOf(getVulnerability, { params: { slug, vulnerability } })
}

/** Exploited vulnerabilities without an open incident. */
export function exploitedQuery(slug: string) {
  return queryOptions({
    ...queryOf(listExploited, { params: { slug }, query: { incident: 'none' } }),
    refetchInterval: 30_000,
  })
}
