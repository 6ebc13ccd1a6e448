import { queryOptions } from '@tanstack/react-query'
import { getCoverage } from '#contract/inventory/operations.ts'
import { listSources } from '#contract/sources/operations.ts'
import { queryOf } from '../kit/api/query-of.ts'

export function sourcesQuery(slug: string) {
  return queryOptions({ ...queryOf(listSources, { params: { slug } }), refetchInterval: 30_000 })
}

export function coverageQuery(slug: string) {
  return queryOptions({ ...queryOf(getCoverage, { params: { slug } }), staleTime: 60_000 })
}
