import { queryOptions } from '@tanstack/react-query'
import { getSession } from '#contract/people/operations/session.ts'
import { queryOf } from '../kit/api/query-of.ts'

/** Separate from the other sign-in queries: every page needs it, and none of the others. */
export const sessionQuery = queryOptions({ ...queryOf(getSession, {}), staleTime: 60_000 })
