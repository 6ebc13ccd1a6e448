import { queryOptions } from '@tanstack/react-query'
import { listMembers } from '../../src/contract/operations/members.ts'
import { queryOf } from './query-of.ts'

export function membersQuery(slug: string) {
  return queryOptions({ ...queryOf(listMembers, { params: { slug } }), refetchInterval: 30_000 })
}
