import type { Session } from '../../../contract/people/sessions.ts'
import * as contract from '../../../contract/people/operations/session.ts'
import type { OpenedSession } from '../../../people/enter.ts'
import { signOut } from '../../../people/account.ts'
import { selectSession } from '../../../people/people.ts'
import { completeSetup, isSetupOpen } from '../../../people/setup.ts'
import { completeSignIn } from '../../../people/factors/second-step.ts'
import { signIn } from '../../../people/sign-in.ts'
import { clientAddress } from '../../client-address.ts'
import { ownAct } from '../people/account.ts'
import { routesOf, type Asked } from '../routing/handle.ts'
import { clearSessionCookie, sessionSecret, setSessionCookie } from '../routing/session-cookie.ts'

type Entering = Pick<Asked<typeof contract.signIn>, 'deps' | 'request' | 'reply' | 'now'>

/** Where a sign-in comes from. */
export function enteringFrom({ deps, request, now }: Entering) {
  return {
    address: clientAddress(request),
    requestId: request.id,
    replacedSecret: sessionSecret(deps, request),
    now,
  }
}

/** Gives the browser its session. */
export function entered(
  { deps, reply, now }: Entering,
  session: OpenedSession,
  only: string | null = null,
): Promise<Session> {
  setSessionCookie(deps, reply, session)
  return selectSession(deps.db, session.personId, { now, only })
}

/** First run, sign-in and sign-out. */
export const sessionRoutes = routesOf(contract, {
  getSession: ({ person, now, deps }) =>
    selectSession(deps.db, person.personId, { now, only: person.companyWorkspaceId }),

  signIn: async ({ body, ...asked }) => {
    const signedIn = await signIn(asked.deps, { ...body, ...enteringFrom(asked) })
    return 'secondStep' in signedIn ? signedIn : entered(asked, signedIn)
  },

  completeSignIn: async ({ body, ...asked }) =>
    entered(asked, await completeSignIn(asked.deps, { ...body, ...enteringFrom(asked) })),

  signOut: async (asked) => {
    await signOut(asked.deps.db, ownAct(asked))
    clearSessionCookie(asked.deps, asked.reply)
  },

  getSetupState: async ({ body, deps }) => ({ open: await isSetupOpen(deps.db, body.secret) }),

  completeSetup: async ({ body: { secret, ...setup }, ...asked }) =>
    entered(asked, await completeSetup(asked.deps, { secret, setup, ...enteringFrom(asked) })),
})
