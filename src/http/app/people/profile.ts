import * as contract from '../../../contract/people/operations/profile.ts'
import { confirmPassword } from '../../../people/fresh.ts'
import { confirmEmailChange, requestEmailChange } from '../../../people/change-email.ts'
import { selectSession } from '../../../people/people.ts'
import { changeProfile } from '../../../people/profile.ts'
import { describeReset, requestReset, resetPassword } from '../../../people/reset-password.ts'
import { originOf } from '../../client-address.ts'
import { routesOf } from '../routing/handle.ts'

/** Who somebody is to the service: name, time zone, e-mail, and the way back in without a password. */
export const profileRoutes = routesOf(contract, {
  changeProfile: async ({ body, person, now, deps, request }) => {
    await changeProfile(deps.db, { person, ...originOf(request), now }, body)
    return selectSession(deps.db, person.personId, { now, only: person.companyWorkspaceId })
  },

  requestEmailChange: async ({ body, person, now, deps, request }) => {
    const act = { person, ...originOf(request), now }
    await confirmPassword(deps, { ...act, password: body.password })
    await requestEmailChange(deps, act, body.email)
  },

  confirmEmailChange: ({ body, now, deps, request }) =>
    confirmEmailChange(deps.db, { ...body, ...originOf(request), now }),

  requestReset: ({ body, now, deps, request }) => requestReset(deps, { ...body, ...originOf(request), now }),

  getReset: ({ body, now, deps }) => describeReset(deps.db, { ...body, now }),

  resetPassword: ({ body, now, deps, request }) =>
    resetPassword(deps, { ...body, ...originOf(request), now }),
})
