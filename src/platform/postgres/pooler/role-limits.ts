import type { Client } from 'pg'
import { settingsOf, standardLimits } from '../limits.ts'
import { openSession } from '../session.ts'
import type { StoreConnection } from '../store-connection.ts'

/** Two processes must not change the same row of the catalogue. */
const roleLock = 5_021_377_406

/**
 * Gives the role its standard limits in this database, because a pooler accepts none when a session is opened: they apply to statements outside
 * of transactions. Sessions that the pooler has open keep theirs until it replaces them. Any role may do this for itself.
 */
export async function keepRoleLimits(connection: StoreConnection): Promise<void> {
  const { client: session } = await openSession(connection, { applicationName: 'sbom-monitor start' })
  try {
    await session.query('BEGIN')
    if (!(await hasLimits(session))) await setLimits(session)
    await session.query('COMMIT')
  } finally {
    await session.end()
  }
}

async function setLimits(session: Client): Promise<void> {
  await session.query('SELECT pg_advisory_xact_lock($1)', [roleLock])
  for (const [name, value] of settingsOf(standardLimits)) await session.query(alterRole(name, value))
}

async function hasLimits(session: Client): Promise<boolean> {
  const { rows } = await session.query<{ settings: string[] }>(
    `SELECT setconfig AS settings FROM pg_db_role_setting
     WHERE setrole = (SELECT oid FROM pg_roles WHERE rolname = current_user)
       AND setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  )
  const settings = new Set(rows[0]?.settings)
  return [...settingsOf(standardLimits)].every(([name, value]) => settings.has(`${name}=${value}`))
}

function alterRole(name: string, value: string): string {
  return `DO $$ BEGIN
    EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I SET ${name} = %L', current_database(), '${value}');
  END $$`
}
