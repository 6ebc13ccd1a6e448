import type { TestDatabase } from './database.ts'

/** Waits until so many sessions of the database wait for another session's lock. */
export async function untilWaiting({ pool }: Pick<TestDatabase, 'pool'>, count = 1): Promise<void> {
  for (;;) {
    const { rows } = await pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (rows.length >= count) return
  }
}
