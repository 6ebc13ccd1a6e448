import { sql, type RawBuilder } from 'kysely'

/** The end of a lease of so many seconds that is given now, in real time of the database. */
export function endOfLease(seconds: number): RawBuilder<Date> {
  return sql`clock_timestamp() + make_interval(secs => ${sql.lit(seconds)})`
}

/**
 * Whether a lease (`leased_until`) ends later than any that is given: it was given before the clock of the database was set back, or by a server whose clock was
 * ahead. It is cut to one that is given now. Otherwise what a process had that died would wait until the clock has caught up; one that lives renews its leases
 * before.
 */
export function isOfLaterClock(seconds: number): RawBuilder<boolean> {
  return sql`leased_until > clock_timestamp() + make_interval(secs => ${sql.lit(2 * seconds)})`
}
