import type { Client, ClientConfig } from 'pg'
import { serverRole } from './cluster.ts'
import { openSession } from '../session.ts'

/** The database of the store, apart from that of the usage lock, so that it can be dropped and restored. */
export const storeDatabase = 'store'
/** The service's role: owns the store's database and what is in it, and nothing else. The socket's folder decides who may connect. */
export const serviceRole = 'sbom_monitor'

/** The lock under which processes that join at the same time prepare a store. */
const prepareLock = 1_398_362_702

/**
 * Makes sure of the service's role, the store's database and who owns it. `session` is the superuser's, on any other database of the
 * server. A data folder of an earlier release, in which the superuser owned everything, is handed over.
 */
export async function prepareStore(session: Client, connection: ClientConfig): Promise<void> {
  if ((await selectOwner(session)) === serviceRole) return
  await session.query('SELECT pg_advisory_lock($1)', [prepareLock])
  try {
    await createRole(session)
    const owner = await selectOwner(session)
    if (owner === undefined) await session.query(`CREATE DATABASE ${storeDatabase} OWNER ${serviceRole}`)
    else if (owner !== serviceRole) await handOver(connection)
  } finally {
    await session.query('SELECT pg_advisory_unlock($1)', [prepareLock])
  }
}

async function selectOwner(session: Client): Promise<string | undefined> {
  const { rows } = await session.query<{ owner: string }>(
    'SELECT pg_get_userbyid(datdba) AS owner FROM pg_database WHERE datname = $1',
    [storeDatabase],
  )
  return rows[0]?.owner
}

async function createRole(session: Client): Promise<void> {
  const { rowCount } = await session.query('SELECT FROM pg_roles WHERE rolname = $1', [serviceRole])
  if (rowCount !== 0) return
  await session.query(
    `CREATE ROLE ${serviceRole} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS`,
  )
}

/**
 * In one transaction, the database itself last: an interrupted hand-over is repeated. REASSIGN OWNED refuses the role that
 * initialised the server. Sequences of columns follow their tables, and types of tables too.
 */
const handOverStatements = `
  BEGIN;
  DO $$
  DECLARE statement text;
  BEGIN
    FOR statement IN
      SELECT format('ALTER %s %I.%I OWNER TO ${serviceRole}',
        CASE c.relkind WHEN 'S' THEN 'SEQUENCE' WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'TABLE' END,
        n.nspname, c.relname)
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p', 'S', 'v', 'm') AND pg_get_userbyid(c.relowner) = '${serverRole}'
        AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid
          AND d.deptype IN ('a', 'i', 'e'))
      UNION ALL
      SELECT format('ALTER ROUTINE %s OWNER TO ${serviceRole}', p.oid::regprocedure)
      FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND pg_get_userbyid(p.proowner) = '${serverRole}'
        AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
    LOOP
      EXECUTE statement;
    END LOOP;
  END
  $$;
  ALTER DATABASE ${storeDatabase} OWNER TO ${serviceRole};
  COMMIT;`

async function handOver(connection: ClientConfig): Promise<void> {
  const { client: session } = await openSession(
    { ...connection, database: storeDatabase },
    { applicationName: 'hand over' },
  )
  try {
    await session.query(handOverStatements)
  } finally {
    await session.end()
  }
}
