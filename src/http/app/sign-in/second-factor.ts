import * as contract from '../../../contract/people/operations/second-factor.ts'
import { beginApp, confirmApp, removeApp } from '../../../people/factors/authenticator.ts'
import { readSecondFactors, renewRecoveryCodes } from '../../../people/factors/second-factors.ts'
import { ownAct } from '../people/account.ts'
import { routesOf } from '../routing/handle.ts'

/** What a person adds to their password. */
export const secondFactorRoutes = routesOf(contract, {
  getSecondFactors: ({ person, deps }) => readSecondFactors(deps.db, person),

  beginApp: ({ deps, ...asked }) => beginApp(deps, { ...asked, serviceName: deps.serviceName }),

  confirmApp: (asked) => confirmApp(asked.deps, { ...ownAct(asked), code: asked.body.code }),

  removeApp: (asked) => removeApp(asked.deps, ownAct(asked)),

  makeRecoveryCodes: (asked) => renewRecoveryCodes(asked.deps.db, ownAct(asked)),
})
