import type { ScheduledWork } from '../queue/schedule/scheduled-work.ts'
import { switchedOffIn } from '../vulndata/source-states.ts'
import { makeDigests } from './digest.ts'
import { tellOfExpiry } from './expiry.ts'
import { makeWeeklyReports } from './weekly/make-reports.ts'

export const noticesSchedule: readonly ScheduledWork[] = [
  { name: 'tell of what is about to end', run: ({ db }, now) => tellOfExpiry(db, now) },
  { name: 'make daily digests', run: ({ db }, now) => makeDigests(db, now) },
  {
    name: 'make weekly reports',
    run: ({ db, config }, now) => makeWeeklyReports(db, { now, switchedOff: switchedOffIn(config) }),
  },
]
