import { alertsSchedule } from '../alerts/scheduled.ts'
import { incidentsSchedule } from '../incidents/scheduled.ts'
import type { Config } from '../platform/config.ts'
import { disclosureSchedule } from '../disclosure/scheduled.ts'
import type { Deps } from '../platform/deps.ts'
import type { ScheduledWork } from '../platform/scheduled-work.ts'
import { vexSchedule } from '../vex/scheduled.ts'
import { vulndataSchedule } from '../vulndata/scheduled.ts'
import { workspaceSchedule } from '../workspace/scheduled.ts'

/** Legal deadlines come first. */
const scheduled: readonly ScheduledWork[] = [
  ...incidentsSchedule,
  ...vulndataSchedule,
  ...vexSchedule,
  ...workspaceSchedule,
  ...disclosureSchedule,
  ...alertsSchedule,
]

type Schedule = Pick<Deps, 'db' | 'now'> & { config: Config }

/**
 * Does what the rooms have scheduled, by the product clock. Any number of processes may tick. What fails keeps nothing else from being done;
 * the errors are thrown in the end.
 */
export async function tickSchedules(
  { db, now, config }: Schedule,
  { withFeeds }: { withFeeds: boolean },
): Promise<void> {
  const at = now()
  const errors: Error[] = []
  for (const { name, fetches = false, run } of scheduled) {
    if (fetches && !withFeeds) continue
    await run({ db, config }, at).catch((error: unknown) => {
      errors.push(new Error(`scheduled work failed: ${name}`, { cause: error }))
    })
  }
  if (errors.length > 0) throw new AggregateError(errors, errors.map(({ message }) => message).join('; '))
}
