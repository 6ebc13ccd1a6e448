import { noticesSchedule } from '../notices/scheduled.ts'
import { findingsSchedule } from '../findings/scheduled.ts'
import { metricsSchedule } from '../metrics/scheduled.ts'
import { incidentsSchedule } from '../incidents/scheduled.ts'
import { hasPassed } from '../platform/clock.ts'
import type { Config } from '../platform/config/config.ts'
import { disclosureSchedule } from '../disclosure/scheduled.ts'
import type { Deps } from '../platform/deps.ts'
import type { Sealing } from '../platform/sealing/sealing.ts'
import { repeatUntilStopped } from '../queue/schedule/repeat.ts'
import type { ScheduledWork } from '../queue/schedule/scheduled-work.ts'
import { hourMs } from '../contract/durations.ts'
import { peopleSchedule } from '../people/scheduled.ts'
import { vexSchedule } from '../vex/scheduled.ts'
import { vulndataSchedule } from '../vulndata/scheduled.ts'
import { workspaceSchedule } from '../workspace/scheduled.ts'
import { retentionSchedule } from './retention.ts'

/** Legal deadlines come first. */
const scheduled: readonly ScheduledWork[] = [
  ...incidentsSchedule,
  ...vulndataSchedule,
  ...vexSchedule,
  ...peopleSchedule,
  ...workspaceSchedule,
  ...metricsSchedule,
  ...findingsSchedule,
  ...disclosureSchedule,
  ...noticesSchedule,
  ...retentionSchedule,
]

type Schedule = Pick<Deps, 'db' | 'now'> & { config: Config; sealing: Sealing }

type Turn = { withFeeds: boolean; withSeldom: boolean; stopping?: AbortSignal }

/**
 * Does what the rooms have scheduled, by the product clock. Any number of processes may tick. A failure does not prevent the rest; the
 * errors are thrown at the end. Once `stopping` is aborted nothing more is started.
 */
export async function tickSchedules(
  { db, now, config, sealing }: Schedule,
  { withFeeds, withSeldom, stopping }: Turn,
): Promise<void> {
  const at = now()
  const errors: Error[] = []
  for (const { name, fetches = false, seldom = false, run } of scheduled) {
    if (stopping?.aborted === true) break
    if ((fetches && !withFeeds) || (seldom && !withSeldom)) continue
    const place = { db, config, sealing, ...(stopping === undefined ? {} : { stopping }) }
    await run(place, at).catch((error: unknown) => {
      errors.push(new Error(`scheduled work failed: ${name}`, { cause: error }))
    })
  }
  if (errors.length > 0) throw new AggregateError(errors, errors.map(({ message }) => message).join('; '))
}

const tickMs = 30_000

/**
 * Ticks at once and then every 30 seconds, one tick at a time, until stopped: what is being done is finished before the store is closed, what
 * would come after it is left to the next process. `ticked` is called after each that did not fail.
 */
export function startTicking(
  { db, now, config, sealing, log }: Schedule & Pick<Deps, 'log'>,
  ticked: () => void,
): { stop: () => Promise<void> } {
  const isSeldomTurn = seldomTurns()
  const ticking = repeatUntilStopped(
    async (stopping) => {
      const turn = { withFeeds: true, withSeldom: isSeldomTurn(now()), stopping }
      await tickSchedules({ db, now, config, sealing }, turn)
      ticked()
    },
    { everyMs: tickMs, whenItFails: 'scheduled work failed', log },
  )
  ticking.turn()
  return ticking
}

const seldomMs = 6 * hourMs

/** Tells at each tick whether the rare work is due: at the first tick, and six hours after the last run by the product clock. */
export function seldomTurns(): (now: Date) => boolean {
  let last: Date | null = null
  return (now) => {
    const isTurn = hasPassed(last, seldomMs, now)
    if (isTurn) last = now
    return isTurn
  }
}
