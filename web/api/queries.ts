import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type {
  ComponentRow,
  FamilyDetail,
  FamilyName,
  FamilyPage,
  FindingIds,
  FindingPage,
  Page,
  SbomDetail,
  SbomRow,
  Session,
  SessionRow,
  SetupState,
  SourceList,
  WorkspaceDetail,
} from '../../src/contract/app.ts'
import type { FindingDetail } from '../../src/contract/finding.ts'
import type { AnswerOf } from '../../src/contract/operations/operation.ts'
import { listTokens } from '../../src/contract/operations/tokens.ts'
import type { FamiliesSearch, SbomSearch } from '../page-search.ts'
import { api } from '../paths.ts'
import { queryOf, workspaceKey } from './query-of.ts'
import { request } from './request.ts'

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => request<Session>(api.session(), { signal }),
  staleTime: 60_000,
})

export const accountSessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: async ({ signal }) =>
    (await request<{ sessions: SessionRow[] }>(api.accountSessions(), { signal })).sessions,
})

export function setupQuery(secret: string) {
  return queryOptions({
    queryKey: ['setup', secret],
    queryFn: ({ signal }) =>
      request<SetupState>(api.setupState(), { method: 'POST', body: { secret }, signal }),
  })
}

export function workspaceQuery(slug: string) {
  return queryOptions({
    queryKey: [...workspaceKey(slug), 'detail'],
    queryFn: ({ signal }) => request<WorkspaceDetail>(api.workspace(slug), { signal }),
    staleTime: 30_000,
  })
}

export type FamilyFilter = Pick<FamiliesSearch, 'archived' | 'search' | 'sort'>

export function familiesQuery(slug: string, filter: FamilyFilter) {
  return infiniteQueryOptions({
    queryKey: [...workspaceKey(slug), 'families', filter],
    queryFn: ({ signal, pageParam }) =>
      request<FamilyPage>(api.families(slug, { ...filter, ...cursorOf(pageParam) }), { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  })
}

/** Every family in use, to choose one of them. */
export function familyNamesQuery(slug: string) {
  return queryOptions({
    queryKey: [...workspaceKey(slug), 'family-names'],
    queryFn: async ({ signal }) =>
      (await request<{ families: FamilyName[] }>(api.familyNames(slug), { signal })).families,
    refetchInterval: 30_000,
  })
}

export function familyQuery(slug: string, family: string) {
  return queryOptions({
    queryKey: [...workspaceKey(slug), 'family', family],
    queryFn: ({ signal }) => request<FamilyDetail>(api.family(slug, family), { signal }),
    refetchInterval: 30_000,
  })
}

const untilFirstUploadMs = 3_000
const afterFirstUploadMs = 30_000

/** The SBOM history of a family; looked at often until the first upload arrives. */
export function familySbomsQuery(slug: string, family: string) {
  return infiniteQueryOptions({
    queryKey: [...workspaceKey(slug), 'family', family, 'sboms'],
    queryFn: ({ signal, pageParam }) =>
      request<Page<SbomRow>>(api.familySboms(slug, family, pageParam), { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.total === 0 ? untilFirstUploadMs : afterFirstUploadMs,
  })
}

const whileMatchingMs = 2_000
const afterMatchingMs = 60_000

/** One SBOM; followed closely while matching runs. */
export function sbomQuery(slug: string, sbom: string) {
  return queryOptions({
    queryKey: [...workspaceKey(slug), 'sbom', sbom],
    queryFn: ({ signal }) => request<SbomDetail>(api.sbom(slug, sbom), { signal }),
    refetchInterval: ({ state }) => (isMatching(state.data) ? whileMatchingMs : afterMatchingMs),
  })
}

export function isMatching(sbom: Pick<SbomDetail, 'status'> | undefined): boolean {
  return sbom?.status === 'received' || sbom?.status === 'parsed'
}

export type ComponentFilter = Pick<SbomSearch, 'search' | 'sort'>

export function componentsQuery(slug: string, sbom: string, filter: ComponentFilter) {
  return infiniteQueryOptions({
    queryKey: [...workspaceKey(slug), 'sbom', sbom, 'components', filter],
    queryFn: ({ signal, pageParam }) =>
      request<Page<ComponentRow>>(api.components(slug, sbom, { ...filter, ...cursorOf(pageParam) }), {
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}

export type FindingFilter = Pick<
  SbomSearch,
  'search' | 'severity' | 'exploited' | 'grade' | 'verdict' | 'sort'
>

export function findingsQuery(slug: string, sbom: string, filter: FindingFilter) {
  return infiniteQueryOptions({
    queryKey: [...workspaceKey(slug), 'sbom', sbom, 'findings', filter],
    queryFn: ({ signal, pageParam }) =>
      request<FindingPage>(api.findings(slug, sbom, { ...filter, ...cursorOf(pageParam) }), { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}

function cursorOf(pageParam: string | undefined): { cursor?: string } {
  return pageParam === undefined ? {} : { cursor: pageParam }
}

/** Which findings an act on all that fit a filter is about; asked when it is wanted. */
export function findingIdsQuery(slug: string, sbom: string, filter: Omit<FindingFilter, 'sort'>) {
  return queryOptions({
    queryKey: [...workspaceKey(slug), 'sbom', sbom, 'finding-ids', filter],
    queryFn: ({ signal }) => request<FindingIds>(api.findingIds(slug, sbom, filter), { signal }),
    staleTime: 0,
  })
}

export function findingQuery(slug: string, finding: string) {
  return queryOptions({
    queryKey: [...workspaceKey(slug), 'finding', finding],
    queryFn: ({ signal }) => request<FindingDetail>(api.finding(slug, finding), { signal }),
  })
}

export function tokensQuery(slug: string) {
  return {
    ...queryOf(listTokens, { params: { slug } }),
    select: ({ tokens }: AnswerOf<typeof listTokens>) => tokens,
    refetchInterval: 30_000,
  }
}

export function sourcesQuery(slug: string) {
  return queryOptions({
    queryKey: [...workspaceKey(slug), 'sources'],
    queryFn: ({ signal }) => request<SourceList>(api.sources(slug), { signal }),
    refetchInterval: 30_000,
  })
}
