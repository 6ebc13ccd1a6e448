import type { InfiniteData, UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query'
import type { Page } from '#contract/page.ts'

export type Listed<Row> = {
  /** The rows loaded so far; undefined before the first answer. */
  rows: Row[] | undefined
  /** Number of matching rows on the server. */
  total: number | undefined
  error: Error | null
  /** 0 before the first answer. */
  updatedAtMs: number
  /** Loads the next page; undefined if everything is loaded or loading. */
  onMore: (() => void) | undefined
  isReadingMore: boolean
  onRetry: () => void
}

/** A paged list; `first` is its first page, which describes the whole list. */
export function listedRows<Row, Extra>(
  query: UseInfiniteQueryResult<InfiniteData<Page<Row> & Extra>>,
): Listed<Row> & { first: (Page<Row> & Extra) | undefined } {
  const [first] = query.data?.pages ?? []
  return {
    rows: query.data?.pages.flatMap((page) => page.rows),
    total: first?.total,
    first,
    error: query.error,
    updatedAtMs: query.dataUpdatedAt,
    onMore:
      // a failed page is retried by the person, or when the list is refetched
      query.hasNextPage && !query.isFetchingNextPage && !query.isFetchNextPageError
        ? () => {
            void query.fetchNextPage()
          }
        : undefined,
    isReadingMore: query.isFetchingNextPage,
    onRetry: () => {
      void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch())
    },
  }
}

/** A list loaded in one request, and the rows of it to show. Once loaded, a failed refetch changes nothing. */
export function wholeList<Row>(query: UseQueryResult, rows: Row[] | undefined): Listed<Row> {
  return {
    rows,
    total: rows?.length,
    error: query.data === undefined ? query.error : null,
    updatedAtMs: query.dataUpdatedAt,
    onMore: undefined,
    isReadingMore: false,
    onRetry: () => {
      void query.refetch()
    },
  }
}
