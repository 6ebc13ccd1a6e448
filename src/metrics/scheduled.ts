import type { ScheduledWork } from '../queue/schedule/scheduled-work.ts'
import { countDays } from './days/family-days.ts'

export const metricsSchedule: readonly ScheduledWork[] = [
  { name: 'count families for the day', run: ({ db }, now) => countDays(db, now) },
]
