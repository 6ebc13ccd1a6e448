import { randomInt } from 'node:crypto'
import type { ClientConfig } from 'pg'
import { openSession } from '../session.ts'
import { StoreError } from '../store-error.ts'
import type { StoreConnection } from '../store-connection.ts'
import type { StoreLog } from '../server.ts'
import { poolingAt } from './pooling.ts'
import { tracksStatements } from './statements.ts'

/** Checks what is behind DATABASE_URL. Throws StoreError `pooler_misplaced` for an undeclared pooler. */
export async function judgePooler(connection: StoreConnection, log: Pick<StoreLog, 'warn'>): Promise<void> {
  const pooling = await poolingAt(connection)
  if (connection.pooler === undefined && pooling === 'transaction') {
    throw new StoreError(
      'pooler_misplaced',
      'DATABASE_URL: a pooler lends its sessions for one transaction each; set DATABASE_POOLER=transaction, or name the server itself, ' +
        'or let the pooler lend them for a whole session (PgBouncer: pool_mode = session).',
    )
  }
  if (connection.pooler === 'transaction' && pooling === 'none')
    log.warn('DATABASE_POOLER is set, but DATABASE_URL is the address of the server itself: unset it')
  if (pooling !== 'none' && connection.tracksStatements === true && !(await tracksStatements(connection))) {
    throw new StoreError(
      'pooler_misplaced',
      'DATABASE_POOLER_STATEMENTS: the pooler does not track the names of statements; PgBouncer does from 1.21 on, with max_prepared_statements ' +
        'above 0. Let it, or unset the variable.',
    )
  }
}

/**
 * Checks DATABASE_LISTEN_URL: nobody can listen through a pooler that lends sessions for a transaction, and notifications of one database reach
 * no other. Throws StoreError `pooler_misplaced`.
 */
export async function judgeListening(connection: StoreConnection, listening: ClientConfig): Promise<void> {
  if ((await poolingAt(listening)) === 'transaction') {
    throw new StoreError(
      'pooler_misplaced',
      'DATABASE_LISTEN_URL: a pooler lends its sessions for one transaction each, and nobody can listen through it; name the server ' +
        'itself, or unset it: work is then looked for every second.',
    )
  }
  if (await isSameDatabase(connection, listening)) return
  throw new StoreError(
    'pooler_misplaced',
    'DATABASE_LISTEN_URL: another database than that of DATABASE_URL; name the same database on the server itself.',
  )
}

/** Advisory locks belong to one database of one server: in the same one, a lock that is taken here is not free there. */
async function isSameDatabase(here: ClientConfig, there: ClientConfig): Promise<boolean> {
  const options = { applicationName: 'sbom-monitor start' }
  const key = randomInt(2 ** 47)
  const { client: holder } = await openSession(here, options)
  try {
    await holder.query('BEGIN')
    await holder.query('SELECT pg_advisory_xact_lock($1)', [key])
    const { client: asking } = await openSession(there, options)
    try {
      const { rows } = await asking.query<{ free: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS free', [
        key,
      ])
      return rows[0]?.free === false
    } finally {
      await asking.end()
    }
  } finally {
    await holder.query('ROLLBACK')
    await holder.end()
  }
}
