import { signatureOf } from '../alerts/deliveries/sign.ts'
import { eventIdPrefix, signingSecretPrefix } from '../contract/alerts/shapes.ts'
import { eventData, type DeliveryFact } from '../contract/alerts/events.ts'
import { knownKeys } from '../contract/known-keys.ts'
import { documentedEvents, exampleSecret, type EventExample } from './examples/webhook-examples.ts'
import { exampleBase, type PublicExample } from './examples/example.ts'

type Json = Record<string, unknown>

const header = (name: string, description: string, schema: Json, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', ...schema },
  example,
})

function headersOf(example: EventExample): Json[] {
  const { id, created } = example
  const body = JSON.stringify(example)
  return [
    header(
      'Service-Event-Id',
      "The body's `id`. Each delivery has its own: one event that is sent to two destinations has two. A repeat of a delivery has the same.",
      { pattern: `^${eventIdPrefix}[0-9a-f-]{36}$` },
      id,
    ),
    header(
      'Service-Signature',
      `\`t=<unix seconds>,v1=<hex>\`: \`v1\` is the lowercase hexadecimal HMAC-SHA256 of \`<t>.<raw body>\`, keyed with the destination's whole signing secret as UTF-8 text, its prefix \`${signingSecretPrefix}\` included; \`t\` is the body's \`created\` in whole seconds. Read the raw body before parsing it, refuse a \`t\` that differs from your clock by more than 5 minutes, and compare in constant time. The example is that of the example body on one line, with the secret \`${exampleSecret}\`.`,
      { pattern: '^t=[0-9]+,v1=[0-9a-f]{64}$' },
      signatureOf({ secret: exampleSecret, body, created: new Date(created) }),
    ),
    header('User-Agent', 'Always the same.', { const: 'Service-Alerts/1.0' }, 'Service-Alerts/1.0'),
  ]
}

function bodyOf(type: DeliveryFact['type']): Json {
  return {
    type: 'object',
    title: `${documentedEvents[type].name}Event`,
    required: ['id', 'type', 'created', 'workspace', 'url', 'data'],
    properties: {
      id: { type: 'string', description: 'As in `Service-Event-Id`.' },
      type: { type: 'string', const: type },
      created: { type: 'string', format: 'date-time', description: 'When it was sent.' },
      workspace: { type: 'string', description: 'Company name.' },
      url: { type: 'string', format: 'uri', description: documentedEvents[type].url },
      data: eventData[type],
    },
  }
}

function operationOf(type: DeliveryFact['type'], baseUrl: string): Json {
  const { name, summary, description, example } = documentedEvents[type]
  const text = JSON.stringify(example).replaceAll(exampleBase, baseUrl)
  const value = JSON.parse(text) as EventExample
  return {
    post: {
      operationId: `on${name}`,
      tags: ['Webhooks'],
      summary,
      description: `${description}\n\nSent once, as one line of compact JSON, to the destinations of the kind \`webhook\` that ask for \`${type}\`. The whole request has 5 seconds; no redirect is followed.`,
      security: [],
      parameters: headersOf(value),
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: bodyOf(type) },
        },
      },
      responses: {
        '2XX': {
          description: 'Success, whatever the body. Return it for event types you do not know too.',
        },
        '4XX': {
          description:
            'Failure, like any other status and like no answer within 5 seconds. The delivery is listed under Delivery problems and is not repeated.',
        },
      },
    },
  }
}

/** By operation, as those of requests. */
export const webhookRequests: Readonly<Record<string, readonly PublicExample[]>> = Object.fromEntries(
  Object.values(documentedEvents).map(({ name, summary, example: body }) => {
    const example = { name: body.type, summary, request: { body }, answer: { status: 204 } }
    return [`on${name}`, [example]]
  }),
)

/** What a webhook destination is sent (docs/public-api.md, "Events"), as the webhooks of the OpenAPI document. */
export function webhooks(baseUrl: string): Record<string, Json> {
  const types = knownKeys(documentedEvents)
  return Object.fromEntries(types.map((type) => [type, operationOf(type, baseUrl)]))
}
