import { readOnly, refused, type PublicExample } from '../../../docs-site/examples/example.ts'
import { workspaceTokenRefused } from '../destination-examples.ts'

export const examples: readonly PublicExample[] = [
  { name: 'removed', summary: 'Removed', answer: { status: 204 } },
  ...workspaceTokenRefused,
  readOnly,
  refused('not_found'),
]
