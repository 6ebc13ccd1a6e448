import { Type } from 'typebox'
import { alertTypes, destinationKinds, destinationLimits } from '../../../contract/alerts/shapes.ts'
import { internal } from '../public-refusals.ts'
import type { OperationWords } from '../public-route.ts'
import { readOnlyRefusals, workspaceTokenRefusals } from '../workspace-token-refusals.ts'
import type { operation } from './operation.ts'

export const words: OperationWords<typeof operation> = {
  tags: ['Alerts'],
  summary: 'Add an alert destination',
  description: `Adds a chat channel or a webhook. Nothing is sent to it now; a test is sent from the application (Settings, Notifications), where it can also be renamed, turned off and given a new secret.

Not idempotent: the same body sent twice makes two destinations, and each receives every alert.

Every URL starts with \`https://\`, has a full host name (no IP address, no name of a private network), and carries neither user name, password nor fragment. \`chat_a\`: a Slack URL whose path starts with /services/, /triggers/ or /workflows/. \`chat_b\`: the URL of a Teams workflow. \`webhook\`: an HTTPS endpoint of your own, on any port; its name must lead to public addresses only, at each delivery.

The Content-Type of the request is not checked; fields that are not listed are ignored; wrong types are refused, never converted. For \`invalid_request\`, \`fields\` names every missing or invalid field at once.

Checks are made in this order: token, rate limit, read-only state, plan, whether URLs can be stored, body.`,
  body: {
    content: {
      'application/json': {
        schema: Type.Object(
          {
            kind: Type.Enum([...destinationKinds]),
            name: Type.String({
              description: `1-${destinationLimits.nameCharacters} characters, surrounding spaces removed; none of them invisible.`,
            }),
            url: Type.String({ description: `At most ${destinationLimits.urlCharacters} characters.` }),
            events: Type.Array(Type.Enum([...alertTypes]), {
              minItems: 1,
              description: 'What it is told. Duplicates are stored once.',
            }),
          },
          {
            title: 'AlertDestinationRequest',
          },
        ),
      },
    },
  },
  answers: { 201: 'The destination. `secret` is in this answer only.' },
  refusals: [
    { code: 'invalid_json', when: 'the body is not JSON in UTF-8.' },
    {
      code: 'invalid_request',
      when: `fields are missing or invalid, or the workspace has ${destinationLimits.perWorkspace} destinations already; \`fields\` says what is wrong with each.`,
    },
    ...workspaceTokenRefusals,
    ...readOnlyRefusals,
    { code: 'plan_required', when: 'the plan is neither Core nor Plus nor the trial.' },
    { code: 'too_large', when: `the body has more than ${destinationLimits.bodyCharacters} characters.` },
    { code: 'not_configured', when: 'the service cannot store destination URLs at the moment.' },
    ...internal,
  ],
}
