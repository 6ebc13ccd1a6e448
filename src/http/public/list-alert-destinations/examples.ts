import type { PublicExample } from '../../../docs-site/examples/example.ts'
import { chat, destination, workspaceTokenRefused } from '../destination-examples.ts'

export const examples: readonly PublicExample[] = [
  {
    name: 'two',
    summary: 'A webhook and a chat channel, the older one first',
    answer: { status: 200, body: { destinations: [destination, chat] } },
  },
  ...workspaceTokenRefused,
]
