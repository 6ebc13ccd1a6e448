import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type {
  ComponentUsePage,
  FamilyHistoryDay,
  SbomComparison,
  SearchHit,
  WorkspaceCoverage,
} from '../../src/contract/inventory.ts'
import type { VulnerabilityPage } from '../../src/contract/app.ts'
import type { ExploitedList, VulnerabilityDetail } from '../../src/contract/vulnerability.ts'
import type { ComponentsSearch, VulnerabilitiesSearch } from '../page-search.ts'
import { api } from '../paths.ts'
import { workspaceKey } from './query-of.ts'
import { request } from './request.ts'

export function vulnerabilitiesQuery(slug: string, filter: VulnerabilitiesSearch) {
  return infiniteQueryOptions({
    queryKey: [...workspaceKey(slug), 'vulnerabilities', filter],
    queryFn: ({ signal, pageParam }) =>
      request<VulnerabilityPage>(api.vulnerabilities(slug, { ...filter, ...cursorOf(pageParam) }), {
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}

export function vulnerabilityQuery(slug: string, vulnerability: string) {
  return queryOptions({
    queryKey: [...workspaceKey(slug), 'vulnerability', vulnerability],
    queryFn: ({ signal }) => request<VulnerabilityDetail>(api.vulnerability(slug, vulnerability), { signal }),
  })
}

export function allComponentsQuery(slug: string, filter: ComponentsSearch) {
  return infiniteQueryOptions({
    queryKey: [...workspaceKey(slug), 'components', filter],
    queryFn: ({ signal, pageParam }) =>
      request<ComponentUsePage>(api.allComponents(slug, { ...filter, ...cursorOf(pageParam) }), { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}

function cursorOf(pageParam: string | undefined): { cursor?: string } {
  return pageParam === undefined ? {} : { cursor: pageParam }
}

export function familyHistoryQuery(slug: string, family: string) {
  return queryOptions({
    queryKey: [...workspaceKey(slug), 'family', family, 'history'],
    queryFn: async ({ signal }) =>
      (await request<{ days: FamilyHistoryDay[] }>(api.familyHistory(slug, family), { signal })).days,
  })
}

export function comparisonQuery(slug: string, sbom: string, other: string) {
  return queryOptions({
    queryKey: [...workspaceKey(slug), 'sbom', sbom, 'compare', other],
    queryFn: ({ signal }) => request<SbomComparison>(api.comparison(slug, sbom, other), { signal }),
  })
}

/** What to fix first. */
export function exploitedQuery(slug: string) {
  return queryOptions({
    queryKey: [...workspaceKey(slug), 'exploited'],
    queryFn: ({ signal }) => request<ExploitedList>(api.exploited(slug), { signal }),
    refetchInterval: 30_000,
  })
}

export function coverageQuery(slug: string) {
  return queryOptions({
    queryKey: [...workspaceKey(slug), 'coverage'],
    queryFn: ({ signal }) => request<WorkspaceCoverage>(api.coverage(slug), { signal }),
    staleTime: 60_000,
  })
}

/** What the words in the top bar may mean; the hits of the words before stay until the new ones are here. */
export function searchQuery(slug: string, words: string) {
  return queryOptions({
    queryKey: [...workspaceKey(slug), 'search', words],
    queryFn: async ({ signal }) =>
      (await request<{ hits: SearchHit[] }>(api.search(slug, words), { signal })).hits,
    enabled: words.length >= 2,
    placeholderData: keepPreviousData,
  })
}
