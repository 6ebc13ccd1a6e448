import { linkOptions } from '@tanstack/react-router'
import { getMetrics } from '#contract/inventory/operations.ts'
import { filterIn, type Filter, type Raw } from '../kit/address/search.ts'

/** `family` is the id of a product family. */
export type MetricsSearch = Filter<typeof getMetrics>

export function metricsSearch(raw: Raw): MetricsSearch {
  return filterIn(raw, getMetrics)
}

export const metricsPages = {
  metrics: (slug: string, search: MetricsSearch = {}) =>
    linkOptions({ to: '/$slug/metrics', params: { slug }, search }),
}
