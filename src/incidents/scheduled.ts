import type { ScheduledWork } from '../platform/scheduled-work.ts'
import { tellOfOverdue, warnOfDeadlines } from './reports/warn-of-deadlines.ts'

export const incidentsSchedule: readonly ScheduledWork[] = [
  { name: 'warn of deadlines', run: ({ db }, now) => warnOfDeadlines(db, now) },
  { name: 'tell of overdue reports', run: ({ db }, now) => tellOfOverdue(db, now) },
]
