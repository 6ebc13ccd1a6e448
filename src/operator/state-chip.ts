import type { WorkspaceState } from '../contract/workspace/plans.ts'
import { html, type Html } from '../html/html.ts'

const words: Record<WorkspaceState, readonly [shown: string, colour: string]> = {
  trial: ['Active', 'good'],
  starter: ['Active', 'good'],
  core: ['Active', 'good'],
  plus: ['Active', 'good'],
  free: ['Read-only', 'warn'],
  suspended: ['Suspended', 'bad'],
  moving: ['Moving', 'warn'],
  moved: ['Moved', 'quiet'],
  closed: ['Closed', 'quiet'],
}

export function stateChip(state: WorkspaceState): Html {
  const [shown, colour] = words[state]
  return html`<span class="chip ${colour}">${shown}</span>`
}
