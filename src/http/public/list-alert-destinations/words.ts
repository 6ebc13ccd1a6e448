import { internal } from '../public-refusals.ts'
import type { OperationWords } from '../public-route.ts'
import { workspaceTokenRefusals } from '../workspace-token-refusals.ts'
import type { operation } from './operation.ts'

export const words: OperationWords<typeof operation> = {
  tags: ['Alerts'],
  summary: 'List the alert destinations',
  description:
    'Every destination of the workspace, oldest first, including those added in the application. It works on every plan and in every state of the workspace. URLs and secrets are never returned.',
  answers: { 200: 'The destinations.' },
  refusals: [...workspaceTokenRefusals, ...internal],
}
