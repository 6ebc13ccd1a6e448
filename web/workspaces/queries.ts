import { queryOptions } from '@tanstack/react-query'
import { getWorkspace } from '#contract/workspace/operations.ts'
import { queryOf } from '../kit/api/query-of.ts'

export function workspaceQuery(slug: string) {
  return queryOptions({ ...queryOf(getWorkspace, { params: { slug } }), staleTime: 30_000 })
}
