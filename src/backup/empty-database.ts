import type { ClientBase } from 'pg'
import { BackupError } from './backup-error.ts'
import { selectContents, type BackupHeader } from './contents.ts'

const howToGetOne =
  'Restore into a new one: another DATA_DIR for the embedded database, another database for DATABASE_URL. Nothing was written.'

/**
 * Refuses a database that a restore could harm or mix with: one with rows, with tables of something else, with a schema
 * beyond the backup's, or one that other processes have open; `heldBy` is the session that keeps it for this restore. Throws BackupError.
 */
export async function refuseUnfitDatabase(
  session: ClientBase,
  header: BackupHeader,
  heldBy: number | null = null,
): Promise<void> {
  await takeRestoreLock(session)
  const tables = await selectContents(session)
  const version = await schemaVersion(session)
  if (tables.length > 0 && version === null)
    throw new BackupError(
      'database_not_empty',
      `The database holds tables that do not belong to this service, such as "${tables[0]?.name ?? ''}". ${howToGetOne}`,
    )
  for (const { name } of tables) {
    const { rows } = await session.query<{ found: boolean }>(`SELECT EXISTS (SELECT FROM ${name}) AS found`)
    if (rows[0]?.found === true)
      throw new BackupError(
        'database_not_empty',
        `The database is not empty: its table "${name}" has rows. ${howToGetOne}`,
      )
  }
  if (version !== null && version > header.migrations.length)
    throw new BackupError(
      'database_not_empty',
      `The database has schema version ${version} already, the backup ${header.migrations.length}. ${howToGetOne}`,
    )
  await refuseCompany(session, heldBy)
}

/** Held while a restore runs, so that two of them do not take the same empty database. */
const restoreLock = 5_021_377_405

async function takeRestoreLock(session: ClientBase): Promise<void> {
  const { rows: locks } = await session.query<{ taken: boolean }>(
    'SELECT pg_try_advisory_lock($1) AS taken',
    [restoreLock],
  )
  if (locks[0]?.taken !== true)
    throw new BackupError('database_in_use', 'Another restore into this database is running.')
}

/** Processes that have the database open would write to it in the middle of everything. */
async function refuseCompany(session: ClientBase, heldBy: number | null): Promise<void> {
  const { rows } = await session.query<{ name: string }>(
    `
    SELECT DISTINCT coalesce(nullif(application_name, ''), 'unnamed') AS name FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
      AND pid IS DISTINCT FROM $1::int AND application_name NOT LIKE 'restore%' AND application_name NOT LIKE 'store %'
    ORDER BY 1`,
    [heldBy],
  )
  if (rows.length === 0) return
  throw new BackupError(
    'database_in_use',
    `Other sessions have the database open (${rows.map((row) => row.name).join(', ')}). Stop the service first.`,
  )
}

async function schemaVersion(session: ClientBase): Promise<number | null> {
  const { rows } = await session.query<{ found: boolean }>(
    `SELECT to_regclass('schema_migration') IS NOT NULL AS found`,
  )
  if (rows[0]?.found !== true) return null
  const answer = await session.query<{ version: number }>(
    'SELECT coalesce(max(version), 0)::int AS version FROM schema_migration',
  )
  return answer.rows[0]?.version ?? 0
}
