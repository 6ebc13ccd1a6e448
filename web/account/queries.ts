import { queryOptions, type QueryKey } from '@tanstack/react-query'
import { listSessions } from '#contract/people/operations/account.ts'
import { getSecondFactors } from '#contract/people/operations/second-factor.ts'
import { queryOf } from '../kit/api/query-of.ts'

export const accountSessionsQuery = queryOptions({
  ...queryOf(listSessions, {}),
  select: ({ sessions }) => sessions,
})

export const secondFactorsQuery = queryOf(getSecondFactors, {})

/** True if the query is about the person's own account, which its path shows. */
export function accountKey([path]: QueryKey): boolean {
  return typeof path === 'string' && path.startsWith('/api/app/account/')
}
