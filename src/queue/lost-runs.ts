import { sql, type RawBuilder } from 'kysely'

/** `last_error` of a job whose process ended while it ran. */
export const processEnded = 'the process that ran the job ended'
const sessionLost = 'the session with the database was lost: '

/** `last_error` of a job that lost its session with the database. */
export function describeLostSession(message: string): string {
  return sessionLost + message
}

/**
 * Whether a job runs alone that has had so many runs and this `last_error`: it has failed, and would take others with it. Runs that were lost with
 * their process or their session are no failure of the job, unless that happens twice: dozens that ran together are made up for together.
 */
export function runsAlone(runs: RawBuilder<unknown>, error: RawBuilder<unknown>): RawBuilder<boolean> {
  const isLost = sql`(${error} is null or ${error} = ${sql.lit(processEnded)} or starts_with(${error}, ${sql.lit(sessionLost)}))`
  return sql<boolean>`(${runs} > 1 or (${runs} = 1 and not ${isLost}))`
}
