import type { ScheduledWork } from '../platform/scheduled-work.ts'
import { forgetEndedSessions } from './people/sessions.ts'
import { endWindows } from './people/sign-in-window.ts'

export const workspaceSchedule: readonly ScheduledWork[] = [
  { name: 'forget ended sessions', run: ({ db }, now) => forgetEndedSessions(db, now) },
  { name: 'end windows of sign-ins', run: ({ db }, now) => endWindows(db, now) },
]
