import { chainEvents } from '../../src/audit/chain-events.ts'
import { operator } from '../../src/cli/command.ts'
import {
  freezeWorkspace,
  recordPacked,
  redirectWorkspace,
  unfreezeWorkspace,
} from '../../src/workspace/moving.ts'
import { scene, workspaceId } from './acts-scene.ts'

const actions = [
  'workspace.frozen',
  'workspace.packed',
  'workspace.redirected',
  'workspace.unfrozen',
] as const

/** A move up to the redirect, then cancelled. */
export const move = {
  what: 'a move that is given up',
  recorded: actions.map((action) => [action, 'system', 'command line'] as const),
  act: async () => {
    const { db } = scene.database
    const act = { workspaceId, actor: operator, now: scene.now }
    await freezeWorkspace(db, act)
    await chainEvents(db)
    await recordPacked(db, { ...act, events: 1_000_000 })
    await redirectWorkspace(db, { ...act, origin: 'https://new.example', until: null })
    await unfreezeWorkspace(db, act)
  },
}
