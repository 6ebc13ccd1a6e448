import * as contract from '../../../contract/people/operations/passkeys.ts'
import {
  askOwnPasskey,
  askPasskey,
  confirmWithPasskey,
  signInWithPasskey,
} from '../../../people/factors/passkey-proof.ts'
import { addPasskey, beginPasskey, removePasskey } from '../../../people/factors/passkeys.ts'
import { clientAddress } from '../../client-address.ts'
import { ownAct } from '../people/account.ts'
import { routesOf } from '../routing/handle.ts'
import { entered, enteringFrom } from './session.ts'
import { relyingParty } from './relying-party.ts'

/** Passkeys: adding and removing one's own, signing in and confirming with them. */
export const passkeyRoutes = routesOf(contract, {
  beginPasskey: ({ deps, request, person, now }) =>
    beginPasskey(deps.db, { person, now, party: relyingParty(deps, request) }),

  addPasskey: (asked) => {
    const { deps, request, body } = asked
    return addPasskey(deps.db, { ...ownAct(asked), ...body, party: relyingParty(deps, request) })
  },

  removePasskey: (asked) =>
    removePasskey(asked.deps.db, { ...ownAct(asked), passkeyId: asked.params.passkey }),

  askPasskey: ({ deps, request, now, body: { secret } }) =>
    askPasskey(deps.db, { secret, now, address: clientAddress(request), party: relyingParty(deps, request) }),

  signInWithPasskey: async ({ body, ...asked }) => {
    const { deps, request } = asked
    const proof = { ...body, party: relyingParty(deps, request) }
    return entered(asked, await signInWithPasskey(deps.db, { ...proof, ...enteringFrom(asked) }))
  },

  askOwnPasskey: ({ deps, request, person, now }) =>
    askOwnPasskey(deps.db, { person, now, party: relyingParty(deps, request) }),

  confirmWithPasskey: ({ deps, request, person, now, body: { response } }) =>
    confirmWithPasskey(deps.db, { person, now, response, party: relyingParty(deps, request) }),
})
