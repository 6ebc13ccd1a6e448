import type { ScheduledWork } from '../platform/schedule/scheduled-work.ts'
import { removeReplacedSboms } from './changes/remove-replaced.ts'
import { countDays } from './days/family-days.ts'

export const findingsSchedule: readonly ScheduledWork[] = [
  { name: 'count families for the day', run: ({ db }, now) => countDays(db, now) },
  {
    name: 'remove replaced SBOMs',
    seldom: true,
    run: async ({ db, stopping }, now) => {
      await removeReplacedSboms(db, { now, stopping })
    },
  },
]
