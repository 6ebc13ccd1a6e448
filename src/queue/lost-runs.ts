import { sql, type RawBuilder } from 'kysely'

/** `last_error` of a job whose process ended while it ran. */
export const processEnded = 'the process that ran the job ended'
const sessionLost = 'the session with the database was lost: '

/** `last_error` of a job that lost its session with the database. */
export function describeLostSession(message: string): string {
  return sessionLost + message
}

/**
 * Whether a job with so many runs and this `last_error` runs alone: it has failed, and would take others with it. Runs lost with their process or
 * session are not the job's failure, unless that happens twice: dozens that ran together are repeated together.
 */
export function runsAlone(runs: RawBuilder<unknown>, error: RawBuilder<unknown>): RawBuilder<boolean> {
  const isLost = sql`(${error} is null or ${error} = ${sql.lit(processEnded)} or starts_with(${error}, ${sql.lit(sessionLost)}))`
  return sql<boolean>`(${runs} > 1 or (${runs} = 1 and not ${isLost}))`
}
