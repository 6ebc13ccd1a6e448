import { randomBytes } from 'node:crypto'
import type { Client, ClientConfig } from 'pg'
import { onDatabase } from './other-database.ts'
import { openSession } from '../../../platform/postgres/session.ts'
import type { StoreConnection } from '../../../platform/postgres/store-connection.ts'
import { errorCode, StoreError } from '../../../platform/postgres/store-error.ts'

export type ScratchServer = {
  /** Any database of the server, by a role with `CREATEDB`. Never through a pooler that lends sessions for a transaction. */
  admin: ClientConfig
  /** How the service connects, past such a pooler. */
  connection: StoreConnection
  /** Its owner; null: the creator. */
  owner: string | null
}

/** A database for one run of one process, beside the service's own. */
export type ScratchDatabase = {
  name: string
  connection: StoreConnection
  /** The session that shows that it is in use, for as long as it is: its number at the server. */
  heldBy: number
  /** Disconnects everybody. */
  drop: () => Promise<void>
}

const applicationName = 'sbom-monitor scratch'
const prefix = 'sbom_monitor_verify_'
/** A run has created its database, and is about to connect to it. */
const oldestUnused = '1 hour'
const inUse = '55006'

/**
 * Creates an empty database that nobody else has, and drops those that killed runs have left: by their names, which say when they were made, and only
 * where nobody is connected. Throws StoreError `not_allowed`, `not_ready`.
 */
export async function createScratchDatabase({
  admin,
  connection,
  owner,
}: ScratchServer): Promise<ScratchDatabase> {
  const name = await onServer(admin, async (session) => {
    await dropLeftovers(session)
    return create(session, owner)
  })
  const own = onDatabase(connection, name)
  const { keeper, heldBy } = await hold(own).catch(async (cause: unknown) => {
    await drop(admin, name)
    throw unreachable(cause)
  })
  let dropping: Promise<void> | null = null
  const endAndDrop = async () => {
    await keeper.end().catch(() => undefined)
    await drop(admin, name)
  }
  return { name, connection: own, heldBy, drop: () => (dropping ??= endAndDrop()) }
}

async function hold(connection: StoreConnection): Promise<{ keeper: Client; heldBy: number }> {
  const { client: keeper } = await openSession(connection, { applicationName })
  const { rows } = await keeper.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return { keeper, heldBy: rows[0]?.pid ?? 0 }
}

function unreachable(cause: unknown): StoreError {
  const reason = errorCode(cause) ?? (cause instanceof Error ? cause.message : 'unknown error')
  return new StoreError(
    'not_ready',
    `A scratch database was created and cannot be opened (${reason}): pg_hba.conf, or a pooler in front of the server, lets the role into ` +
      "the service's database alone. Let it into every database that it owns, or name the server itself in DATABASE_LISTEN_URL.",
    { cause },
  )
}

async function onServer<T>(admin: ClientConfig, act: (session: Client) => Promise<T>): Promise<T> {
  const { client: session } = await openSession(admin, { applicationName })
  try {
    // behind a pooler the service gives its role limits (pooler/role-limits.ts), and files of a large database take their time
    await session.query('SET statement_timeout = 0')
    return await act(session)
  } finally {
    await session.end()
  }
}

type Own = { time: string; encoding: string; collation: string; characters: string }

/** As the service's own database is. The clock is the server's, which others compare with. */
async function create(session: Client, owner: string | null): Promise<string> {
  const { rows } = await session.query<Own>(
    `SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISS') AS time,
            pg_encoding_to_char(encoding) AS encoding, datcollate AS collation, datctype AS characters
     FROM pg_database WHERE datname = current_database()`,
  )
  const [own] = rows
  if (own === undefined) throw new Error('the current database is not in pg_database')
  const name = `${prefix}${own.time}_${randomBytes(4).toString('hex')}`
  const literal = (text: string) => session.escapeLiteral(text)
  const ownedBy = owner === null ? '' : `OWNER ${session.escapeIdentifier(owner)}`
  try {
    await session.query(
      `CREATE DATABASE ${name} ${ownedBy} TEMPLATE template0
       ENCODING ${literal(own.encoding)} LC_COLLATE ${literal(own.collation)} LC_CTYPE ${literal(own.characters)}`,
    )
  } catch (cause) {
    if (errorCode(cause) !== '42501') throw cause
    throw new StoreError(
      'not_allowed',
      'The role of DATABASE_URL may not create databases, and a scratch one is needed beside its own: ALTER ROLE … CREATEDB, or run the command ' +
        'without DATABASE_URL, with a DATA_DIR of its own.',
      { cause },
    )
  }
  return name
}

/**
 * Sessions in it are told to end, which some do a little later. Not WITH (FORCE): where autovacuum is at work in the database, that is
 * refused to every role that is no superuser, while a plain DROP ends autovacuum itself.
 */
async function drop(admin: ClientConfig, name: string): Promise<void> {
  await onServer(admin, async (session) => {
    const dropOnce = async () => {
      await session.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND backend_type = 'client backend'`,
        [name],
      )
      await session.query(`DROP DATABASE IF EXISTS ${name}`)
    }
    try {
      await dropOnce()
    } catch (error) {
      if (errorCode(error) !== inUse) throw error
      await dropOnce()
    }
  })
}

async function dropLeftovers(session: Client): Promise<void> {
  const { rows } = await session.query<{ name: string }>(
    `SELECT datname::text AS name FROM pg_database d
     WHERE substring(datname::text FROM $1)
             < to_char((clock_timestamp() AT TIME ZONE 'UTC') - $2::interval, 'YYYYMMDDHH24MISS')
       AND NOT EXISTS (SELECT FROM pg_stat_activity a WHERE a.datid = d.oid AND a.backend_type = 'client backend')`,
    [`^${prefix}(\\d{14})_[0-9a-f]{8}$`, oldestUnused],
  )
  for (const { name } of rows) {
    try {
      // Without FORCE: somebody may have connected since.
      await session.query(`DROP DATABASE IF EXISTS ${name}`)
    } catch (error) {
      // in use after all, or another role's
      if (![inUse, '42501'].includes(errorCode(error) ?? '')) throw error
    }
  }
}
