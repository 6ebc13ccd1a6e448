import { queryOptions } from '@tanstack/react-query'
import { listTokens } from '#contract/tokens/operations.ts'
import { queryOf } from '../../kit/api/query-of.ts'

/** Apart from the other queries of the settings: the dashboard, which comes with the application, asks for it alone. */
export function tokensQuery(slug: string) {
  return queryOptions({
    ...queryOf(listTokens, { params: { slug } }),
    select: ({ tokens }) => tokens,
    refetchInterval: 30_000,
  })
}
