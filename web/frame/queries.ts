import { queryOptions } from '@tanstack/react-query'
import { searchWorkspace } from '#contract/inventory/operations.ts'
import { queryOf } from '../kit/api/query-of.ts'

/** Hits for the words in the top bar. Previous hits are not kept: Enter would open one of them. */
export function searchQuery(slug: string, words: string) {
  return queryOptions({
    ...queryOf(searchWorkspace, { params: { slug }, query: { q: words } }),
    select: ({ hits }) => hits,
    enabled: words.length >= 2,
  })
}
