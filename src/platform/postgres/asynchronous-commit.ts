import { sql } from 'kysely'

/**
 * In a select list: the transaction of the statement, which may be the statement alone, commits without waiting for the disk
 * (PostgreSQL manual, "Asynchronous Commit"). After a crash of the server it may not have happened, but never in part, and never
 * while a later commit has: the log is written in order. Only for what is done or worked out again anyway, never for what is
 * acknowledged.
 */
export const asynchronousCommit = sql`set_config('synchronous_commit', 'off', true)`
