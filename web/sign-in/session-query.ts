import { queryOptions } from '@tanstack/react-query'
import { getSession } from '#contract/people/operations/session.ts'
import { queryOf } from '../kit/api/query-of.ts'

/** Apart from the other queries of signing in: every page needs it, and they none. */
export const sessionQuery = queryOptions({ ...queryOf(getSession, {}), staleTime: 60_000 })
