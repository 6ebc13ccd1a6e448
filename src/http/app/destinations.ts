import { sendTest } from '../../alerts/deliveries/send-test.ts'
import { addDestination } from '../../alerts/destinations/add-destination.ts'
import { changeDestination, renewSecret } from '../../alerts/destinations/change-destination.ts'
import { judgeUrl } from '../../alerts/destinations/judge-url.ts'
import { readChange, readNewDestination } from '../../alerts/destinations/read-new-destination.ts'
import { listDestinationRows } from '../../alerts/destinations/list-destinations.ts'
import { removeDestination } from '../../alerts/destinations/remove-destination.ts'
import * as contract from '../../contract/alerts/operations.ts'
import {
  getDelivery,
  listDeliveries,
  listDeliveryProblems,
  type DeliveriesOf,
} from '../../alerts/reads/list-deliveries.ts'
import type { HttpDeps } from '../deps.ts'
import { routesOf } from './routing/handle.ts'
import type { Member } from './routing/member.ts'

/** Settings, Notifications: alert destinations and what became of what was sent to them. */
export const destinationRoutes = routesOf(contract, {
  listDestinations: async ({ workspaceId, deps }) => ({
    destinations: await listDestinationRows(deps.db, workspaceId),
    canStore: (await deps.sealing.state(deps.db)) === 'ready',
  }),

  addDestination: async ({ workspaceId, actor, body, deps }) => {
    const { now: clock, sealing, chatHosts } = deps
    const fields = readNewDestination(body, chatHosts)
    return addDestination(deps.db, { workspaceId, fields, actor, clock, sealing })
  },

  checkDestinationUrl: ({ body: { kind, url }, deps }) => {
    const judged = judgeUrl(url, kind, deps.chatHosts)
    return Promise.resolve({ problem: 'problem' in judged ? judged.problem : null })
  },

  changeDestination: async ({ params, body, ...asked }) =>
    changeDestination(asked.deps.db, actOn(asked, params.destination), readChange(body)),

  removeDestination: async ({ params, ...asked }) =>
    removeDestination(asked.deps.db, actOn(asked, params.destination)),

  renewDestinationSecret: async ({ params, ...asked }) =>
    renewSecret(asked.deps.db, actOn(asked, params.destination), asked.deps.sealing),

  testDestination: async ({ params, ...asked }) => sendTest(asked.deps.db, actOn(asked, params.destination)),

  listDeliveries: async ({ workspaceId, params, deps }) => ({
    deliveries: await listDeliveries(deps.db, placeOf(workspaceId, params, deps), params.destination),
  }),

  getDelivery: async ({ workspaceId, params, deps }) =>
    getDelivery(deps.db, placeOf(workspaceId, params, deps), params.delivery),

  listDeliveryProblems: async ({ workspaceId, params, query, deps }) =>
    listDeliveryProblems(deps.db, placeOf(workspaceId, params, deps), {
      destinationId: query.destination,
      cursor: query.cursor,
    }),
})

function placeOf(workspaceId: string, { slug }: { slug: string }, { baseUrl }: HttpDeps): DeliveriesOf {
  return { workspaceId, slug, baseUrl }
}

function actOn({ workspaceId, actor, deps }: Member & { deps: HttpDeps }, destinationId: string) {
  return { workspaceId, destinationId, actor, clock: deps.now }
}
