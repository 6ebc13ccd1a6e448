import * as contract from '../../../contract/workspace/billing-operations.ts'
import { describeBilling, openCheckout, openPortal } from '../../../workspace/billing/billing.ts'
import { signedInPerson, type Member } from '../routing/member.ts'
import { routesOf } from '../routing/handle.ts'
import type { HttpDeps } from '../../deps.ts'

type Asking = Pick<Member, 'workspace'> & { deps: HttpDeps }

function placeOf({ workspace, deps: { db, stripe, baseUrl } }: Asking) {
  return { db, stripe, workspace, pageUrl: `${baseUrl}/app/${workspace.slug}/settings/billing` }
}

export const billingRoutes = routesOf(contract, {
  getBilling: (asked) => describeBilling(placeOf(asked)),

  openCheckout: async (asked) => {
    const { email } = await signedInPerson(asked.deps, asked.request, asked.now)
    return { url: await openCheckout({ ...placeOf(asked), plan: asked.body.plan, email }) }
  },

  openPortal: async (asked) => ({ url: await openPortal(placeOf(asked)) }),
})
