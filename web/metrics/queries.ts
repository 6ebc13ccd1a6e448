import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { getMetrics } from '#contract/inventory/operations.ts'
import { queryOf } from '../kit/api/query-of.ts'
import type { MetricsSearch } from './paths.ts'

/** The figures shown stay until those of another choice are here. */
export function metricsQuery(slug: string, search: MetricsSearch) {
  return queryOptions({
    ...queryOf(getMetrics, { params: { slug }, query: search }),
    placeholderData: keepPreviousData,
  })
}
