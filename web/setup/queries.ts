import { getSetupState } from '#contract/people/operations/session.ts'
import { queryOf } from '../kit/api/query-of.ts'

export function setupQuery(secret: string) {
  return queryOf(getSetupState, { body: { secret } })
}
