import { Type } from 'typebox'
import {
  alertTypes,
  destinationKinds,
  DeliveryProblem,
  DeliveryRow,
  DestinationList,
  NewDestination,
} from './shapes.ts'
import { Page } from '../page.ts'
import { answer, nothing, operation } from '../operation.ts'
import { nullable } from '../schema.ts'

const destinations = '/workspaces/:slug/destinations'

export const listDestinations = operation({
  method: 'GET',
  path: destinations,
  permission: 'see_deliveries',
  answer: answer(DestinationList),
})

/** The fields are judged as those of the public operation are, all at once. */
export const addDestination = operation({
  method: 'POST',
  path: destinations,
  permission: 'manage_destinations',
  body: Type.Object({
    kind: Type.Optional(Type.String()),
    name: Type.Optional(Type.String()),
    url: Type.Optional(Type.String()),
    events: Type.Optional(Type.Array(Type.String())),
  }),
  answersSecret: true,
  answer: answer(NewDestination, 201),
})

/** What is wrong with a URL while it is typed; null: nothing. Stores nothing. */
export const checkDestinationUrl = operation({
  method: 'POST',
  path: `${destinations}/check-url`,
  permission: 'manage_destinations',
  body: Type.Object({ kind: Type.Enum(destinationKinds), url: Type.String() }),
  worksReadOnly: true,
  answer: answer(Type.Object({ problem: nullable(Type.String()) })),
})

export const changeDestination = operation({
  method: 'PATCH',
  path: `${destinations}/:destination`,
  permission: 'manage_destinations',
  body: Type.Object({
    name: Type.Optional(Type.String()),
    events: Type.Optional(Type.Array(Type.Enum(alertTypes))),
    enabled: Type.Optional(Type.Boolean()),
  }),
  answer: nothing,
})

export const removeDestination = operation({
  method: 'DELETE',
  path: `${destinations}/:destination`,
  permission: 'manage_destinations',
  answer: nothing,
})

/** The secret before ends at once. */
export const renewDestinationSecret = operation({
  method: 'POST',
  path: `${destinations}/:destination/secret`,
  permission: 'manage_destinations',
  answersSecret: true,
  answer: answer(Type.Object({ secret: Type.String() })),
})

/** Has a test sent, also to a destination that is off; `getDelivery` tells how it went. */
export const testDestination = operation({
  method: 'POST',
  path: `${destinations}/:destination/test`,
  permission: 'manage_destinations',
  answer: answer(Type.Object({ deliveryId: Type.String() }), 201),
})

/** The last hundred, the newest first. */
export const listDeliveries = operation({
  method: 'GET',
  path: `${destinations}/:destination/deliveries`,
  permission: 'see_deliveries',
  answer: answer(Type.Object({ deliveries: Type.Array(DeliveryRow) })),
})

/** `delivery`: its UUID, without the prefix. */
export const getDelivery = operation({
  method: 'GET',
  path: '/workspaces/:slug/deliveries/:delivery',
  permission: 'see_deliveries',
  answer: answer(DeliveryRow),
})

/** Failed deliveries, the newest first; those of removed destinations too. */
export const listDeliveryProblems = operation({
  method: 'GET',
  path: '/workspaces/:slug/delivery-problems',
  permission: 'see_deliveries',
  query: { destination: 'id', cursor: 'text' },
  answer: answer(Page(DeliveryProblem)),
})
