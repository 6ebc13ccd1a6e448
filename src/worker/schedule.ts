import { alertsSchedule } from '../alerts/scheduled.ts'
import type { Config } from '../platform/config.ts'
import { disclosureSchedule } from '../disclosure/scheduled.ts'
import type { Deps } from '../platform/deps.ts'
import type { ScheduledWork } from '../platform/scheduled-work.ts'
import { vexSchedule } from '../vex/scheduled.ts'
import { vulndataSchedule } from '../vulndata/scheduled.ts'
import { workspaceSchedule } from '../workspace/scheduled.ts'

const scheduled: readonly ScheduledWork[] = [
  ...vulndataSchedule,
  ...vexSchedule,
  ...workspaceSchedule,
  ...disclosureSchedule,
  ...alertsSchedule,
]

type Schedule = Pick<Deps, 'db' | 'now'> & { config: Config }

/** Does what the rooms have scheduled, by the product clock. Any number of processes may tick. */
export async function tickSchedules(
  { db, now, config }: Schedule,
  { withFeeds }: { withFeeds: boolean },
): Promise<void> {
  const at = now()
  for (const { fetches = false, run } of scheduled) {
    if (withFeeds || !fetches) await run({ db, config }, at)
  }
}
