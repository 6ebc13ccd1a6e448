import type { ScheduledWork } from '../platform/schedule/scheduled-work.ts'
import { removeReplacedSboms } from './changes/remove-replaced.ts'

export const findingsSchedule: readonly ScheduledWork[] = [
  {
    name: 'remove replaced SBOMs',
    seldom: true,
    run: async ({ db, stopping }, now) => {
      await removeReplacedSboms(db, { now, stopping })
    },
  },
]
