import { queryOptions } from '@tanstack/react-query'
import { getInvitation } from '#contract/people/operations/members.ts'
import { getReset } from '#contract/people/operations/profile.ts'
import { getSignUpOffer, getSignUpState } from '#contract/people/operations/sign-up.ts'
import { queryOf } from '../kit/api/query-of.ts'

export const signUpOfferQuery = queryOptions({ ...queryOf(getSignUpOffer, {}), staleTime: 60_000 })

export function signUpStateQuery(secret: string) {
  return queryOf(getSignUpState, { body: { secret } })
}

export function invitationQuery(secret: string) {
  return queryOf(getInvitation, { body: { secret } })
}

export function resetQuery(secret: string) {
  return queryOf(getReset, { body: { secret } })
}
