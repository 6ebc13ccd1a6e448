import { queryOptions } from '@tanstack/react-query'
import { listTokens } from '#contract/tokens/operations.ts'
import { queryOf } from '../../kit/api/query-of.ts'

/** Separate from the other queries of the settings: the dashboard, which is in the main bundle, needs only this one. */
export function tokensQuery(slug: string) {
  return queryOptions({
    ...queryOf(listTokens, { params: { slug } }),
    select: ({ tokens }) => tokens,
    refetchInterval: 30_000,
  })
}
