import type { ScheduledWork } from '../platform/scheduled-work.ts'
import { askAfterPeriods } from './billing/fetch-subscription.ts'

export const workspaceSchedule: readonly ScheduledWork[] = [
  { name: 'ask after subscriptions', run: ({ db }, now) => askAfterPeriods(db, now) },
]
