import * as contract from '../../contract/operations/session.ts'
import { selectSession } from '../../workspace/people/people.ts'
import { endSession } from '../../workspace/people/sessions.ts'
import { completeSetup, isSetupOpen } from '../../workspace/people/setup.ts'
import { signIn } from '../../workspace/people/sign-in.ts'
import { clientAddress } from '../client-address.ts'
import { routesOf } from './routing/handle.ts'
import { clearSessionCookie, sessionSecret, setSessionCookie } from './routing/session-cookie.ts'

/** First run, sign-in and sign-out. */
export const sessionRoutes = routesOf(contract, {
  getSession: ({ person, now, deps }) => selectSession(deps.db, person.personId, now),

  signIn: async ({ body, now, deps, request, reply }) => {
    const session = await signIn(deps, {
      ...body,
      address: clientAddress(request),
      requestId: request.id,
      replacedSecret: sessionSecret(deps, request),
      now,
    })
    setSessionCookie(deps, reply, session)
    return selectSession(deps.db, session.personId, now)
  },

  signOut: async ({ deps, request, reply }) => {
    await endSession(deps.db, sessionSecret(deps, request) ?? '')
    clearSessionCookie(deps, reply)
  },

  getSetupState: async ({ body, deps }) => ({ open: await isSetupOpen(deps.db, body.secret) }),

  completeSetup: async ({ body, now, deps, request, reply }) => {
    const { secret, ...setup } = body
    const session = await completeSetup(deps, {
      secret,
      setup,
      address: clientAddress(request),
      replacedSecret: sessionSecret(deps, request),
      now,
    })
    setSessionCookie(deps, reply, session)
    return selectSession(deps.db, session.personId, now)
  },
})
