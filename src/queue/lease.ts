import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../database/connection.ts'

/** Rows that a process holds for a while: their table, and their state meanwhile. */
type Leased = { table: string; state: string; seconds: number }

/**
 * Cuts leases (`leased_until`) that end later than any lease given now: they are from before the clock of the database was set back, or from a server
 * whose clock was ahead. Otherwise what a dead process had leased would wait until the clock has caught up; a living one renews its leases before.
 */
export async function cutLeasesOfLaterClock(db: Db, { table, state, seconds }: Leased): Promise<void> {
  const held = sql.table(table)
  await sql`
    with ahead as (
      select id from ${held} where state = ${sql.lit(state)} and leased_until > ${endIn(2 * seconds)} order by id for no key update skip locked
    )
    update ${held} l set leased_until = ${endIn(seconds)} from ahead where l.id = ahead.id`.execute(db)
}

/** In real time of the database. */
function endIn(seconds: number): RawBuilder<Date> {
  return sql`clock_timestamp() + make_interval(secs => ${sql.lit(seconds)})`
}

export const stoppedTwice = 'the service was stopped twice while it was sending this'
export const neverBegun = 'the service was stopped each time before it could send this'

/** Whether a row failed for one of these reasons. Its process may live all the same: then what it records counts. */
export function isGivenUp(reason: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`${reason} in (${sql.lit(stoppedTwice)}, ${sql.lit(neverBegun)})`
}
