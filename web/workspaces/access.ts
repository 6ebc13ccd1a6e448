import type { WorkspaceDetail } from '#contract/workspace/shapes.ts'
import { stateCapabilities } from '#contract/workspace/plans.ts'
import type { Refusal } from '../kit/actions/ActionButton.tsx'
import { isAllowed, roleAllows, type Permission } from '#contract/roles.ts'

type Standing = Pick<WorkspaceDetail, 'role' | 'state'>

/** Acts that change what is monitored: refused by role first, then if the workspace is read-only. */
export function refusal(workspace: Standing, permission: Permission): Refusal {
  return roleRefusal(workspace, permission) ?? stateRefusal(workspace)
}

/** Tokens can be revoked in a read-only workspace, so that a leaked one can always be stopped. */
export function revokeRefusal(workspace: Standing, permission: Permission): Refusal {
  const byRole = roleRefusal(workspace, permission)
  if (byRole !== undefined) return byRole
  return workspace.state === 'closed' ? stateRefusal(workspace) : undefined
}

/** Deciding and filing on incidents: legal duties do not pause with a plan. */
export function reportingRefusal(workspace: Standing, permission: Permission): Refusal {
  const byRole = roleRefusal(workspace, permission)
  if (byRole !== undefined || stateCapabilities[workspace.state].reporting) return byRole
  return stateRefusal(workspace)
}

/** Alert destinations and posts need a plan that includes them; `verb` starts the sentence: "Adding". */
export function destinationRefusal(workspace: Standing, verb: string): Refusal {
  const refused = refusal(workspace, 'manage_destinations')
  if (refused !== undefined || stateCapabilities[workspace.state].destinations) return refused
  return `${verb} needs Core or Plus.`
}

/** Acts that depend on the role only, whatever the state of the workspace. */
export function roleRefusal({ role }: Standing, permission: Permission): Refusal {
  if (isAllowed(role, permission)) return undefined
  return `Your role is ${role}. This needs ${listWords(roleAllows[permission])}.`
}

/** Acts the workspace's state forbids to everybody. */
export function stateRefusal({ state }: Pick<Standing, 'state'>): Refusal {
  if (stateCapabilities[state].write) return undefined
  if (state === 'closed') return 'The workspace is closed.'
  if (state === 'moving') return 'The workspace is being moved to another installation.'
  if (state === 'moved') return 'The workspace has moved to another installation.'
  if (state === 'suspended') return 'The operator of this service has suspended this workspace.'
  return 'The workspace is read-only because its trial or subscription has ended.'
}

function listWords(words: readonly string[]): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} or ${words[words.length - 1] ?? ''}`
}
