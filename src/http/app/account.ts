import * as contract from '../../contract/operations/account.ts'
import type { AppOperation } from '../../contract/operations/operation.ts'
import {
  changePassword,
  listSessions,
  signOutEverywhere,
  type OwnAct,
} from '../../workspace/people/account.ts'
import { clientAddress } from '../client-address.ts'
import { routesOf, type Asked } from './routing/handle.ts'
import { clearSessionCookie } from './routing/session-cookie.ts'

function ownAct({ person, request, now }: Pick<Asked<SignedIn>, 'person' | 'request' | 'now'>): OwnAct {
  return { person, address: clientAddress(request), requestId: request.id, now }
}

type SignedIn = AppOperation & { permission: 'signed_in' }

/** What a person does with their own account, in whichever workspaces they are. */
export const accountRoutes = routesOf(contract, {
  listSessions: async ({ person, now, deps }) => ({ sessions: await listSessions(deps.db, person, now) }),

  signOutEverywhere: async (asked) => {
    await signOutEverywhere(asked.deps.db, ownAct(asked))
    clearSessionCookie(asked.deps, asked.reply)
  },

  changePassword: (asked) => changePassword(asked.deps, { ...ownAct(asked), ...asked.body }),
})
