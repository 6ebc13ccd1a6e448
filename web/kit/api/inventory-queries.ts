import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { getFamilyHistory } from '#contract/products/operations.ts'
import {
  getCoverage,
  getMetrics,
  listComponentUses,
  searchWorkspace,
} from '#contract/inventory/operations.ts'
import { compareSboms } from '#contract/sbom/operations.ts'
import { getVulnerability, listExploited, listVulnerabilities } from '#contract/vulnerabilities/operations.ts'
import {
  asked,
  type ComponentsSearch,
  type MetricsSearch,
  type VulnerabilitiesSearch,
} from '../../page-search.ts'
import { pagesOf, queryOf } from './query-of.ts'

export function vulnerabilitiesQuery(slug: string, filter: VulnerabilitiesSearch) {
  return pagesOf(listVulnerabilities, { params: { slug }, query: asked(filter) })
}

export function vulnerabilityQuery(slug: string, vulnerability: string) {
  return queryOf(getVulnerability, { params: { slug, vulnerability } })
}

export function allComponentsQuery(slug: string, filter: ComponentsSearch) {
  return pagesOf(listComponentUses, { params: { slug }, query: filter })
}

export function familyHistoryQuery(slug: string, family: string) {
  return queryOptions({
    ...queryOf(getFamilyHistory, { params: { slug, family } }),
    select: ({ days }) => days,
  })
}

export function comparisonQuery(slug: string, sbom: string, other: string) {
  return queryOf(compareSboms, { params: { slug, sbom, other } })
}

/** The figures shown stay until those of another choice are here. */
export function metricsQuery(slug: string, search: MetricsSearch) {
  return queryOptions({
    ...queryOf(getMetrics, { params: { slug }, query: search }),
    placeholderData: keepPreviousData,
  })
}

/** What is exploited and no open incident is about. */
export function exploitedQuery(slug: string) {
  return queryOptions({
    ...queryOf(listExploited, { params: { slug }, query: { incident: 'none' } }),
    refetchInterval: 30_000,
  })
}

export function coverageQuery(slug: string) {
  return queryOptions({ ...queryOf(getCoverage, { params: { slug } }), staleTime: 60_000 })
}

/** What the words in the top bar may mean. Hits of the words before are not kept: Enter would open one of them. */
export function searchQuery(slug: string, words: string) {
  return queryOptions({
    ...queryOf(searchWorkspace, { params: { slug }, query: { q: words } }),
    select: ({ hits }) => hits,
    enabled: words.length >= 2,
  })
}
