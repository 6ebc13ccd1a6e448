import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { getMetrics } from '#contract/metrics/operations.ts'
import { queryOf } from '../kit/api/query-of.ts'
import type { MetricsSearch } from './area.ts'

/** The previous figures stay until the new ones arrive. */
export function metricsQuery(slug: string, search: MetricsSearch) {
  return queryOptions({
    ...queryOf(getMetrics, { params: { slug }, query: search }),
    placeholderData: keepPreviousData,
  })
}
