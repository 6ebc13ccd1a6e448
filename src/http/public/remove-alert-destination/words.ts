import { internal } from '../public-refusals.ts'
import type { OperationWords } from '../public-route.ts'
import { readOnlyRefusals, workspaceTokenRefusals } from '../workspace-token-refusals.ts'
import type { operation } from './operation.ts'

export const words: OperationWords<typeof operation> = {
  tags: ['Alerts'],
  summary: 'Remove an alert destination',
  description:
    'Nothing more is posted to it. Failed deliveries stay listed under Delivery problems. It works on every plan while the workspace is not read-only.',
  answers: { 204: 'Removed.' },
  refusals: [
    ...workspaceTokenRefusals,
    ...readOnlyRefusals,
    { code: 'not_found', when: 'the workspace has no destination with this id.' },
    ...internal,
  ],
}
