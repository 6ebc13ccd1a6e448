import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Page } from '../../src/contract/app.ts'
import type { ConnectorReport } from '../../src/contract/connector.ts'
import type {
  ReportedFindingRow,
  VexDocumentDetail,
  VexDocumentRow,
  VexDocumentState,
  VexEntryFilter,
  VexStatementPage,
} from '../../src/contract/vex-documents.ts'
import { api } from '../paths.ts'
import { workspaceKey } from './query-of.ts'
import { request } from './request.ts'

export function familyVexQuery(slug: string, family: string, state: VexDocumentState | undefined) {
  return infiniteQueryOptions({
    queryKey: [...workspaceKey(slug), 'family', family, 'vex', state],
    queryFn: ({ signal, pageParam }) =>
      request<Page<VexDocumentRow>>(
        api.familyVex(slug, family, { ...(state === undefined ? {} : { state }), ...cursorOf(pageParam) }),
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    refetchInterval: 30_000,
  })
}

export function vexDocumentQuery(slug: string, document: string) {
  return queryOptions({
    queryKey: [...workspaceKey(slug), 'vex', document],
    queryFn: ({ signal }) => request<VexDocumentDetail>(api.vex(slug, document), { signal }),
    refetchInterval: 30_000,
  })
}

export type StatementFilter = { show: VexEntryFilter; search?: string }

export function vexStatementsQuery(slug: string, document: string, filter: StatementFilter) {
  return infiniteQueryOptions({
    queryKey: [...workspaceKey(slug), 'vex', document, 'statements', filter],
    queryFn: ({ signal, pageParam }) =>
      request<VexStatementPage>(api.vexStatements(slug, document, { ...filter, ...cursorOf(pageParam) }), {
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}

/** One statement by its number, wherever in the document it stands. */
export function vexStatementQuery(slug: string, document: string, asked: StatementPlace) {
  return queryOptions({
    queryKey: [...workspaceKey(slug), 'vex', document, 'statement', asked],
    queryFn: async ({ signal }) => {
      const { rows } = await request<VexStatementPage>(api.vexStatements(slug, document, asked), { signal })
      return rows.find(({ number }) => String(number) === asked.number) ?? null
    },
  })
}

type StatementPlace = { show: VexEntryFilter; number: string }

/** What scanners report of one version (its id, or `none`), or of all versions. */
export function reportedFindingsQuery(slug: string, family: string, version: string | undefined) {
  return infiniteQueryOptions({
    queryKey: [...workspaceKey(slug), 'family', family, 'reported', version],
    queryFn: ({ signal, pageParam }) =>
      request<Page<ReportedFindingRow>>(
        api.reportedFindings(slug, family, {
          ...(version === undefined ? {} : { version }),
          ...cursorOf(pageParam),
        }),
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}

/** What the Dependency-Track connector of a family was told. */
export function connectorQuery(slug: string, family: string) {
  return queryOptions({
    queryKey: [...workspaceKey(slug), 'family', family, 'connector'],
    queryFn: ({ signal }) => request<ConnectorReport>(api.connector(slug, family), { signal }),
    refetchInterval: 15_000,
  })
}

function cursorOf(pageParam: string | undefined): { cursor?: string } {
  return pageParam === undefined ? {} : { cursor: pageParam }
}
