import { Type, type TSchema } from 'typebox'
import { eventIdPrefix } from '../../contract/alerts/shapes.ts'
import { eventData, type DeliveryFact } from '../../contract/alerts/events.ts'
import { eventPath } from '../../notices/messages/event-wording.ts'

/** What every message about an event says beside its data. */
export type Envelope = {
  /** UUID of the delivery. */
  id: string
  created: Date
  /** Company name. */
  workspace: string
  workspaceSlug: string
  /** Of the service, without trailing slash. */
  baseUrl: string
}

/** The body of a webhook request: one line of compact JSON (docs/public-api.md, "Body"). */
export function eventBody(fact: DeliveryFact, envelope: Envelope): string {
  return JSON.stringify({
    id: eventIdPrefix + envelope.id,
    type: fact.type,
    created: envelope.created.toISOString(),
    workspace: envelope.workspace,
    url: eventUrl(fact, envelope),
    data: published(eventData[fact.type], fact.data),
  })
}

/** The page of the application that an event is about. */
export function eventUrl(
  fact: DeliveryFact,
  { baseUrl, workspaceSlug }: Pick<Envelope, 'baseUrl' | 'workspaceSlug'>,
): string {
  return `${baseUrl}/app/${workspaceSlug}/${eventPath(fact)}`
}

/** The fields of the schema, in its order; nothing else in a fact leaves the service. */
function published(schema: TSchema, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (!Type.IsObject(schema)) return undefined
  const fields = value as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(schema.properties).map(([name, field]) => [name, published(field, fields[name])]),
  )
}
