import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { InboxTab } from '#contract/disclosure/shapes.ts'
import { getInboxReport, listInbox } from '#contract/disclosure/operations.ts'
import { pagesOf, queryOf } from '../kit/api/query-of.ts'

const refreshMs = 15_000

export function inboxQuery(slug: string, tab: InboxTab) {
  return infiniteQueryOptions({
    ...pagesOf(listInbox, { params: { slug }, query: { tab } }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })
}

export function inboxReportQuery(slug: string, number: string) {
  return queryOptions({
    ...queryOf(getInboxReport, { params: { slug, number } }),
    refetchInterval: refreshMs,
  })
}
