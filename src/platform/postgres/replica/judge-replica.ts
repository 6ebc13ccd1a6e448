import type { ClientConfig } from 'pg'
import { poolingAt } from '../pooler/pooling.ts'
import { openSession } from '../session.ts'
import { errorCode, StoreError } from '../store-error.ts'

const options = { applicationName: 'sbom-monitor start', patienceMs: 0, openTimeoutMs: 3_000 }

/**
 * Judges DATABASE_READ_URL. Throws StoreError `pooler_misplaced` for what can never be read from: a pooler that lends sessions for a transaction, since
 * one that has replayed what was asked for is another one a moment later, and a server with other data. Any other error says that it cannot be reached.
 */
export async function judgeReplica(primary: ClientConfig, replica: ClientConfig): Promise<void> {
  const there = await identityOf(replica)
  if ((await poolingAt(replica)) === 'transaction') {
    throw new StoreError(
      'pooler_misplaced',
      'DATABASE_READ_URL: a pooler lends its sessions for one transaction each, so that what was asked for may not be replayed in the next one; ' +
        'name the standby itself, or let the pooler lend them for a whole session (PgBouncer: pool_mode = session).',
    )
  }
  const here = await identityOf(primary)
  if (here === null || there === null || here === there) return
  throw new StoreError(
    'pooler_misplaced',
    'DATABASE_READ_URL: not a standby of the server of DATABASE_URL, or another database of it; name the same database on a standby of that server.',
  )
}

/** The same for a server and what was copied from it; null where the role may not ask. */
async function identityOf(connection: ClientConfig): Promise<string | null> {
  const { client } = await openSession(connection, options)
  try {
    const { rows } = await client.query<{ id: string }>(
      'SELECT system_identifier || current_database() AS id FROM pg_control_system()',
    )
    return rows[0]?.id ?? null
  } catch (error) {
    if (errorCode(error) !== '42501') throw error
    return null
  } finally {
    await client.end()
  }
}
