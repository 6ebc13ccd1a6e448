import type { ScheduledWork } from '../queue/schedule/scheduled-work.ts'
import { refreshExpired } from './decisions/end-decisions.ts'

export const vexSchedule: readonly ScheduledWork[] = [
  { name: 'refresh expired decisions', run: ({ db }, now) => refreshExpired(db, now) },
]
