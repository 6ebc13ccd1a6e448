import * as contract from '../../../contract/people/operations/sign-up.ts'
import { selectSession } from '../../../people/people.ts'
import { completeSignUp, createFromSignUp, describeSignUp, requestSignUp } from '../../../people/sign-up.ts'
import { originOf } from '../../client-address.ts'
import { routesOf } from '../routing/handle.ts'
import { sessionSecret, setSessionCookie } from '../routing/session-cookie.ts'

/** How a company comes to a workspace of its own. */
export const signUpRoutes = routesOf(contract, {
  getSignUpOffer: ({ deps: { signUp, sendsMail } }) => Promise.resolve({ ...signUp, sendsMail }),

  requestSignUp: ({ body, now, deps, request }) =>
    requestSignUp(deps, { rules: deps.signUp, signUp: body, ...originOf(request), now }),

  getSignUpState: ({ body, now, deps }) => describeSignUp(deps.db, { ...body, now }),

  completeSignUp: async ({ body, now, deps, request, reply }) => {
    const replacedSecret = sessionSecret(deps, request)
    const session = await completeSignUp(deps, { ...body, origin: originOf(request), replacedSecret, now })
    setSessionCookie(deps, reply, session)
    return selectSession(deps.db, session.personId, { now })
  },

  createFromSignUp: async ({ body, person, now, deps, request }) => {
    await createFromSignUp(deps.db, { ...body, person, origin: originOf(request), now })
    return selectSession(deps.db, person.personId, { now })
  },
})
