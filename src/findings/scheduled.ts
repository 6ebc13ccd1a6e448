import type { ScheduledWork } from '../platform/scheduled-work.ts'
import { countDays } from './days/family-days.ts'

export const findingsSchedule: readonly ScheduledWork[] = [
  { name: 'count families for the day', run: ({ db }, now) => countDays(db, now) },
]
