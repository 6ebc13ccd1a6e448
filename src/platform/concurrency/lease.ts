import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'

type Leased = {
  table: 'job' | 'alert_delivery' | 'mail'
  /** Of rows that somebody has. */
  state: 'running' | 'sending'
  /** For how long a lease is given, and renewed well before. */
  seconds: number
}

/**
 * Leases that end later than any that is given were given before the clock of the database was set back, or by a server whose clock was ahead: they end
 * like one that is given now. Otherwise what a process had that died would wait until the clock has caught up. Processes that live renew theirs before.
 */
export async function cutLeases(db: Db, { table, state, seconds }: Leased): Promise<void> {
  await sql`
    with ahead as (
      select id from ${sql.table(table)}
      where state = ${sql.lit(state)} and leased_until > clock_timestamp() + make_interval(secs => ${sql.lit(2 * seconds)})
      order by id for no key update skip locked
    )
    update ${sql.table(table)} l set leased_until = clock_timestamp() + make_interval(secs => ${sql.lit(seconds)})
    from ahead where l.id = ahead.id`.execute(db)
}
