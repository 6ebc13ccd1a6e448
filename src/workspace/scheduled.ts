import type { ScheduledWork } from '../queue/schedule/scheduled-work.ts'
import { askAfterPeriods } from './billing/fetch-subscription.ts'

import { enqueueErasures } from './originals/erase-originals.ts'

export const workspaceSchedule: readonly ScheduledWork[] = [
  { name: 'ask after subscriptions', run: ({ db }, now) => askAfterPeriods(db, now) },
  {
    name: 'erase originals',
    run: ({ db, config }, now) => enqueueErasures(db, { bucket: config.objectStore?.name ?? null, now }),
  },
]
