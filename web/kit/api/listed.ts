import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { Page } from '#contract/page.ts'

type Listed<Row> = {
  /** The rows read so far; undefined before the first answer. */
  rows: Row[] | undefined
  /** All rows on the server that fit the query. */
  total: number | undefined
  /** Reads the next page; undefined when all are here or the next is on its way. */
  onMore: (() => void) | undefined
  onRetry: () => void
}

/** What a list made of pages holds. */
export function listedRows<Row>(query: UseInfiniteQueryResult<InfiniteData<Page<Row>>>): Listed<Row> {
  return {
    rows: query.data?.pages.flatMap((page) => page.rows),
    total: query.data?.pages[0]?.total,
    onMore:
      query.hasNextPage && !query.isFetchingNextPage
        ? () => {
            void query.fetchNextPage()
          }
        : undefined,
    onRetry: () => {
      void query.refetch()
    },
  }
}
