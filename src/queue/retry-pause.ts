import { sql, type RawBuilder } from 'kysely'
import { clockSkewMs } from '../platform/clock.ts'

/** The pause after a failed attempt doubles from the first to the longest. */
const firstMs = 5_000
const maxMs = 10 * 60_000

/** How long a job waits after so many failed attempts. */
export function retryPauseMs(attempts: number): number {
  return Math.min(firstMs * 2 ** (attempts - 1), maxMs)
}

/**
 * The latest product time for which a job with so many attempts can be in the queue by now: jobs are due when they are enqueued, and failed ones
 * after their pause. One that is further off was enqueued before the clock was set back, and waits for nothing.
 */
export function latestRunAt(attempts: RawBuilder<unknown>, now: Date): RawBuilder<Date> {
  return sql`(${now}::timestamptz + make_interval(secs => (${clockSkewMs}
    + case when ${attempts} = 0 then 0 else least(${firstMs} * 2 ^ (${attempts} - 1), ${maxMs}) end) / 1000.0))`
}
