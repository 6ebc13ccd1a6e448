import type { ClientConfig } from 'pg'
import type { Host } from '../address/address.ts'
import { readAddress } from '../address/read-address.ts'
import { poolingAt } from '../pooler/pooling.ts'
import { openSession } from '../session.ts'
import type { BoundedConfig } from '../silence/bounded-client.ts'
import { errorCode, StoreError } from '../store-error.ts'

const options = { applicationName: 'sbom-monitor start', patienceMs: 0, openTimeoutMs: 3_000 }

/**
 * Checks every host of DATABASE_READ_URL that can be reached. Throws StoreError `pooler_misplaced` for what can never be read from: a pooler that lends
 * sessions for a transaction, where the session that has replayed enough may be another one a moment later, and a server with other data. Any other
 * error says that none of them can be read from now.
 */
export async function judgeReplica(primary: ClientConfig, replica: BoundedConfig): Promise<void> {
  const here = await identityOf(primary)
  const judged = await Promise.allSettled(
    hostsOf(replica).map((only) => judgeHost({ ...replica, ...only, seeksStandby: false }, here)),
  )
  const failed = judged.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
  const never = failed.find((error) => error instanceof StoreError && error.code === 'pooler_misplaced')
  if (never !== undefined) throw never as Error
  if (failed.length === judged.length) throw failed[0] as Error
}

/** An address that only the driver understands counts as one host. */
function hostsOf({ connectionString }: BoundedConfig): { only?: Host }[] {
  const address = connectionString === undefined ? null : readAddress(connectionString)
  return address === null ? [{}] : address.hosts.map((only) => ({ only }))
}

async function judgeHost(host: BoundedConfig, here: Identity): Promise<void> {
  const there = await identityOf(host)
  const where = host.only === undefined ? '' : ` (${host.only.host}:${host.only.port})`
  if ((await poolingAt(host)) === 'transaction') {
    throw new StoreError(
      'pooler_misplaced',
      `DATABASE_READ_URL: a pooler${where} lends its sessions for one transaction each, so that what was asked for may not be replayed in the next one; ` +
        'name the standby itself, or let the pooler lend them for a whole session (PgBouncer: pool_mode = session).',
    )
  }
  if (here.id !== null && there.id !== null && here.id !== there.id) {
    throw new StoreError(
      'pooler_misplaced',
      `DATABASE_READ_URL: not a standby of the server of DATABASE_URL, or another database of it${where}; name the same database on a standby of that server.`,
    )
  }
  if (!there.isStandby)
    throw new StoreError('not_ready', `DATABASE_READ_URL: the server is no standby${where}`)
}

type Identity = {
  /** The same for a server and its copies; null where the role may not ask. */
  id: string | null
  isStandby: boolean
}

async function identityOf(connection: ClientConfig): Promise<Identity> {
  const { client } = await openSession(connection, options)
  try {
    const { rows } = await client.query<{ isStandby: boolean }>('SELECT pg_is_in_recovery() AS "isStandby"')
    const isStandby = rows[0]?.isStandby === true
    try {
      const found = await client.query<{ id: string }>(
        'SELECT system_identifier || current_database() AS id FROM pg_control_system()',
      )
      return { isStandby, id: found.rows[0]?.id ?? null }
    } catch (error) {
      if (errorCode(error) !== '42501') throw error
      return { isStandby, id: null }
    }
  } finally {
    await client.end()
  }
}
