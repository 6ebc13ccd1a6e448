import { chainEvents } from '../../src/audit/chain-events.ts'
import type { Actor } from '../../src/audit/record-acts.ts'
import type { Db } from '../../src/database/connection.ts'
import {
  freezeWorkspace,
  recordPacked,
  redirectWorkspace,
  unfreezeWorkspace,
} from '../../src/workspace/moving.ts'

export const actsOfMove = (
  ['workspace.frozen', 'workspace.packed', 'workspace.redirected', 'workspace.unfrozen'] as const
).map((action) => [action, 'system', 'command line'] as const)

/** A move as far as the redirect, which is then given up. */
export async function moveAndReturn(
  db: Db,
  act: { workspaceId: string; actor: Actor; now: Date },
): Promise<void> {
  await freezeWorkspace(db, act)
  await chainEvents(db)
  await recordPacked(db, { ...act, events: 1_000_000 })
  await redirectWorkspace(db, { ...act, origin: 'https://new.example', until: null })
  await unfreezeWorkspace(db, act)
}
