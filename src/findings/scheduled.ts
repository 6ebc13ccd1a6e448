import type { ScheduledWork } from '../queue/schedule/scheduled-work.ts'
import { removeReplacedSboms } from './changes/remove-replaced.ts'
import { enqueueKeyRenewal } from './changes/renew-keys.ts'

export const findingsSchedule: readonly ScheduledWork[] = [
  {
    // not at the start alone: a process of the release before, which is still running then, writes keys of its own order, and may take the job
    name: 'renew version keys',
    seldom: true,
    run: ({ db }, now) => db.transaction().execute((tx) => enqueueKeyRenewal(tx, now)),
  },
  {
    name: 'remove replaced SBOMs',
    seldom: true,
    run: async ({ db, stopping }, now) => {
      await removeReplacedSboms(db, { now, stopping })
    },
  },
]
