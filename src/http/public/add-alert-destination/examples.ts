import { alertTypes } from '../../../contract/alerts/shapes.ts'
import { readOnly, refused, type PublicExample } from '../../../docs-site/examples/example.ts'
import { exampleSecret } from '../../../docs-site/examples/webhook-examples.ts'
import { chat, destination, workspaceTokenRefused } from '../destination-examples.ts'

export const examples: readonly PublicExample[] = [
  {
    name: 'webhook',
    summary: 'An endpoint of your own; the answer has its signing secret',
    request: {
      body: {
        kind: 'webhook',
        name: 'Security on call',
        url: 'https://alerts.example.com/sbom-monitor',
        events: ['incident.opened', 'deadline.warning'],
      },
    },
    answer: {
      status: 201,
      body: { ...destination, secret: exampleSecret },
    },
  },
  {
    name: 'chat_a',
    summary: 'A Slack channel',
    request: {
      body: {
        kind: 'chat_a',
        name: 'Security channel',
        url: 'https://hooks.slack.com/services/T000/B000/XXXX',
        events: ['incident.opened'],
      },
    },
    answer: { status: 201, body: chat },
  },
  ...workspaceTokenRefused,
  readOnly,
  refused('plan_required', {
    message: 'Adding alert destinations needs a Core or Plus plan, or the trial.',
  }),
  refused('not_configured', {
    message:
      'The service cannot store destination URLs at the moment. Its operator has to set its encryption keys.',
  }),
  refused('too_large', { detail: 'more than 16384 characters' }),
  refused('invalid_json', {
    detail: 'line 1, column 2: expected a key in double quotes, found the end of the body',
  }),
  refused('invalid_request', {
    fields: {
      name: '1 to 80 characters are required.',
      url: 'It must start with https://.',
      events: `Expected a list of one or more of ${alertTypes.join(', ')}.`,
    },
  }),
]
