import { signatureOf } from '../alerts/deliveries/sign.ts'
import { eventIdPrefix, signingSecretPrefix } from '../contract/alerts/shapes.ts'
import { eventData, type DeliveryFact } from '../contract/alerts/events.ts'
import { exampleSecret, webhookExamples, type EventExample } from './examples/webhook-examples.ts'
import { exampleBase, type PublicExample } from './examples/example.ts'

type Json = Record<string, unknown>

type Words = { name: string; summary: string; description: string; url: string }

const words: Readonly<Record<DeliveryFact['type'], Words>> = {
  'incident.opened': {
    name: 'IncidentOpened',
    summary: 'An incident was opened',
    description:
      'An exact match against a catalogue of known exploited vulnerabilities, or the European vulnerability database, opened an incident.',
    url: 'The page of the incident.',
  },
  'deadline.warning': {
    name: 'DeadlineWarning',
    summary: 'A report is due soon',
    description:
      'Once for each report while it is open: 4 hours before a 24-hour or 72-hour report, 1 hour before the initial notification of DORA, 72 hours before a final report.',
    url: 'The page of the incident.',
  },
  'approval.requested': {
    name: 'ApprovalRequested',
    summary: 'A determination waits for approval',
    description: 'A determination was recorded and waits for a second person.',
    url: 'The page of the incident.',
  },
  'report.received': {
    name: 'ReportReceived',
    summary: 'A vulnerability report arrived',
    description: 'A report arrived in the disclosure inbox. The event holds nothing that its reporter wrote.',
    url: 'The page of the report.',
  },
  test: {
    name: 'DestinationTest',
    summary: 'A test',
    description:
      'Sent when an owner or admin selects "Send a test", whether the destination is on or off, and whatever events it asks for.',
    url: 'The settings of notifications.',
  },
}

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
    title: `${words[type].name}Event`,
    required: ['id', 'type', 'created', 'workspace', 'url', 'data'],
    properties: {
      id: { type: 'string', description: 'As in `Service-Event-Id`.' },
      type: { type: 'string', const: type },
      created: { type: 'string', format: 'date-time', description: 'When it was sent.' },
      workspace: { type: 'string', description: 'Company name.' },
      url: { type: 'string', format: 'uri', description: words[type].url },
      data: eventData[type],
    },
  }
}

function operationOf(type: DeliveryFact['type'], baseUrl: string): Json {
  const { name, summary, description } = words[type]
  const text = JSON.stringify(webhookExamples[type]).replaceAll(exampleBase, baseUrl)
  const value = JSON.parse(text) as EventExample
  return {
    post: {
      operationId: `on${name}`,
      tags: ['Alerts'],
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
  Object.values(webhookExamples).map((body) => {
    const { name, summary } = words[body.type]
    const example = { name: body.type, summary, request: { body }, answer: { status: 204 } }
    return [`on${name}`, [example]]
  }),
)

/** What a webhook destination is sent (docs/public-api.md, "Events"), as the webhooks of the OpenAPI document. */
export function webhooks(baseUrl: string): Record<string, Json> {
  const types = Object.keys(words) as DeliveryFact['type'][]
  return Object.fromEntries(types.map((type) => [type, operationOf(type, baseUrl)]))
}
