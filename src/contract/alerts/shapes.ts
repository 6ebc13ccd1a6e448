import { Type, type Static } from 'typebox'
import { time, nullable, extended } from '../schema.ts'
import { actorKinds } from '../roles.ts'

/** The kinds of destinations (docs/public-api.md, "Alert destinations"). */
export const destinationKinds = ['chat_a', 'chat_b', 'webhook'] as const
export type DestinationKind = (typeof destinationKinds)[number]

/** What a destination may ask for; `test` is sent on request, whatever it asks for. */
export const alertTypes = [
  'incident.opened',
  'deadline.warning',
  'approval.requested',
  'report.received',
] as const
export type AlertType = (typeof alertTypes)[number]

/** What became of one event for one destination. */
export const deliveryStates = ['pending', 'sending', 'sent', 'failed', 'not_sent'] as const
export type DeliveryState = (typeof deliveryStates)[number]

export const destinationLimits = {
  nameCharacters: 80,
  urlCharacters: 2_000,
  bodyCharacters: 16_384,
  perWorkspace: 50,
  /** Code points of a receiver's answer that are kept. */
  answerCharacters: 200,
} as const

export const signingSecretPrefix = 'whsec_'
export const eventIdPrefix = 'evt_'

const destinationFields = {
  id: Type.String({ format: 'uuid', description: 'Used to remove it.' }),
  kind: Type.Enum(destinationKinds),
  name: Type.String({ description: `1-${destinationLimits.nameCharacters} characters.` }),
  host: Type.String({ description: 'Host name of the URL. The URL itself is never returned.' }),
  events: Type.Array(Type.Enum(alertTypes)),
  enabled: Type.Boolean({ description: 'False when turned off in the application: nothing is posted.' }),
  lastDeliveryAt: nullable(time, { description: 'Time of the last post, tests included.' }),
  lastError: nullable(Type.String(), {
    description: 'Why the last post failed; null when it succeeded or nothing was sent.',
  }),
}

export const Destination = Type.Object(destinationFields, { title: 'AlertDestination' })
export type Destination = Static<typeof Destination>

/** The only answer that holds the secret. */
export const NewDestination = Type.Object(
  {
    ...destinationFields,
    secret: Type.Optional(
      Type.String({
        description: `Only of \`webhook\`: the signing secret, with the prefix ${signingSecretPrefix}. It is never shown again.`,
      }),
    ),
  },
  { title: 'CreatedAlertDestination' },
)
export type NewDestination = Static<typeof NewDestination>

/** A destination as the application shows it. */
export const DestinationRow = extended(Destination, {
  createdAt: time,
  /** Who added it, by the name it had then. */
  addedBy: Type.Object({ kind: Type.Enum(actorKinds), name: Type.String() }),
  /** A webhook's: a signature needs one. */
  hasSecret: Type.Boolean(),
})
export type DestinationRow = Static<typeof DestinationRow>

export const DestinationList = Type.Object({
  destinations: Type.Array(DestinationRow),
  /** False while the service has no encryption key of its database: nothing can be added and no secret renewed. */
  canStore: Type.Boolean(),
})
export type DestinationList = Static<typeof DestinationList>

/** What became of one event for one destination. */
export const DeliveryRow = Type.Object({
  /** As receivers see it: `evt_` and a UUID. */
  id: Type.String(),
  type: Type.Enum([...alertTypes, 'test']),
  state: Type.Enum(deliveryStates),
  createdAt: time,
  sentAt: nullable(time),
  durationMs: nullable(Type.Number()),
  /** HTTP status of the answer. */
  status: nullable(Type.Number()),
  /** Why it failed or was not sent. */
  reason: nullable(Type.String()),
  /** The page the event is about. */
  url: Type.String(),
})
export type DeliveryRow = Static<typeof DeliveryRow>

/** A failed delivery, also of a destination that has been removed since. */
export const DeliveryProblem = extended(DeliveryRow, {
  destination: Type.Object({
    id: Type.String(),
    name: Type.String(),
    kind: Type.Enum(destinationKinds),
    isRemoved: Type.Boolean(),
  }),
})
export type DeliveryProblem = Static<typeof DeliveryProblem>
