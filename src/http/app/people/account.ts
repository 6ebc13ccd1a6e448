import * as contract from '../../../contract/people/operations/account.ts'
import type { AppOperation } from '../../../contract/operation.ts'
import { changePassword, listSessions, signOutElsewhere, signOutEverywhere } from '../../../people/account.ts'
import { confirmPassword, confirmSession } from '../../../people/fresh.ts'
import type { OwnAct } from '../../../people/own-act.ts'
import { clientAddress } from '../../client-address.ts'
import { routesOf, type Asked } from '../routing/handle.ts'
import { clearSessionCookie } from '../routing/session-cookie.ts'

/** The caller, acting on their own account. */
export function ownAct({
  person,
  request,
  now,
}: Pick<Asked<SignedIn>, 'person' | 'request' | 'now'>): OwnAct {
  return { person, address: clientAddress(request), requestId: request.id, now }
}

type SignedIn = AppOperation & { permission: 'signed_in' }

/** What a person does with their own account, in whichever workspaces they are. */
export const accountRoutes = routesOf(contract, {
  listSessions: async ({ person, now, deps }) => ({ sessions: await listSessions(deps.db, person, now) }),

  endSession: async (asked) => {
    const sessionId = asked.params.session
    await signOutElsewhere(asked.deps.db, { ...ownAct(asked), sessionId })
    if (sessionId === asked.person.sessionId) clearSessionCookie(asked.deps, asked.reply)
  },

  signOutEverywhere: async (asked) => {
    await signOutEverywhere(asked.deps.db, ownAct(asked))
    clearSessionCookie(asked.deps, asked.reply)
  },

  changePassword: (asked) => changePassword(asked.deps, { ...ownAct(asked), ...asked.body }),

  confirmIdentity: async ({ body: { password }, ...asked }) => {
    await confirmPassword(asked.deps, { ...ownAct(asked), password })
    await confirmSession(asked.deps, asked)
  },
})
