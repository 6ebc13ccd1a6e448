import type { ScheduledWork } from '../platform/scheduled-work.ts'
import { endWindows } from './people/sign-in-window.ts'

export const workspaceSchedule: readonly ScheduledWork[] = [
  { name: 'end windows of sign-ins', run: ({ db }, now) => endWindows(db, now) },
]
