import type { InfiniteData, UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query'
import type { Page } from '#contract/page.ts'

export type Listed<Row> = {
  /** The rows read so far; undefined before the first answer. */
  rows: Row[] | undefined
  /** All rows on the server that fit the query. */
  total: number | undefined
  error: Error | null
  /** 0 before the first answer. */
  updatedAtMs: number
  /** Reads the next page; undefined when all are here or the next is on its way. */
  onMore: (() => void) | undefined
  isReadingMore: boolean
  onRetry: () => void
}

/** What a list made of pages holds; `first` has what its first page says of all of them. */
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
      // one that was refused is asked for again by the person, or when the list is read again
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

/** A list that is read whole; those of its rows that are shown. Once it is here, a later reading that fails changes nothing. */
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
