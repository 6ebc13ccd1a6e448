import type { ScheduledWork } from '../queue/schedule/scheduled-work.ts'
import { linkIncidents } from './openings/link-incidents.ts'
import { releaseIncidents } from './record/release-incidents.ts'
import { remindOfUntaken } from './record/remind-of-untaken.ts'
import { tellOfOverdue, warnOfDeadlines } from './reports/warn-of-deadlines.ts'

export const incidentsSchedule: readonly ScheduledWork[] = [
  { name: 'warn of deadlines', run: ({ db }, now) => warnOfDeadlines(db, now) },
  { name: 'tell of overdue reports', run: ({ db }, now) => tellOfOverdue(db, now) },
  {
    name: 'release incidents of assignees who left',
    // a workspace that moves here, or back, brings some that its jobs did not reach
    seldom: true,
    run: ({ db }, now) => releaseIncidents(db, now),
  },
  { name: 'remind of incidents without assignee', run: ({ db }, now) => remindOfUntaken(db, now) },
  { name: 'link incidents on one vulnerability', run: ({ db }, now) => linkIncidents(db, now) },
]
