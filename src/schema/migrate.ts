import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError, type Client, type ClientConfig } from 'pg'
import { openSession } from '../platform/postgres/session.ts'
import { type Migration, MigrationError, readMigrations } from './migration-files.ts'

/** What a run changed: the names of the steps it applied, oldest first, and the version reached. */
export type MigrationResult = { applied: string[]; version: number }

type AppliedStep = { version: number; name: string; sha256: string }

const applicationName = 'sbom-monitor migrate'
/** Held while the schema changes, so that processes started together migrate once. */
const migrationLock = 5_021_377_404
/** How long the other process may take. */
const migrationLockMs = 30 * 60_000
/**
 * A step that waits for a table behind a running transaction holds up everyone who asks for that table later. So it waits this long only, lets them
 * pass, and tries again.
 */
const tableLockMs = 1_000
const pauseMs = 3_000
/** A transaction may be a backup or an export. */
const giveUpMs = 10 * 60_000

type MigrateOptions = {
  /** The state of an older release whose data are about to be restored. */
  upTo?: number
  /** Told once of each step that finds a table in another transaction: nothing is served yet, and the log would be silent for minutes. */
  onWait?: (step: string) => void
}

/**
 * Brings the schema of a database to the state of the folder's files, each in a transaction of its own. Forward only, and no
 * further than `upTo`.
 * Throws MigrationError: `files_invalid`, `database_newer`, `not_allowed`, `file_changed`, `step_failed`.
 */
export async function migrate(
  connection: ClientConfig,
  folder: string,
  { upTo = Number.POSITIVE_INFINITY, onWait = () => undefined }: MigrateOptions = {},
): Promise<MigrationResult> {
  const migrations = readMigrations(folder)
  return underLock(connection, async () => {
    const { client: session } = await openSession(connection, { applicationName })
    try {
      await createStepTable(session)
      const steps = await selectAppliedSteps(session)
      refuseForeignSteps(steps, migrations)
      const missing = migrations.filter(({ version }) => version > steps.length && version <= upTo)
      for (const migration of missing) await applyStep(session, migration, onWait)
      return { applied: missing.map(fullName), version: steps.length + missing.length }
    } finally {
      await session.end()
    }
  })
}

/**
 * The lock of all steps belongs to a transaction that does nothing else: a lock of a session would stay with a pooler, which lends the session to
 * somebody else after each transaction.
 */
async function underLock<T>(connection: ClientConfig, work: () => Promise<T>): Promise<T> {
  const { client: holder } = await openSession(connection, { applicationName })
  try {
    await begin(holder, migrationLockMs)
    await holder.query('SELECT pg_advisory_xact_lock($1)', [migrationLock])
    return await work()
  } finally {
    // With a session that was lost the lock was too.
    await holder.query('ROLLBACK').catch(() => undefined)
    await holder.end()
  }
}

/** Limits end with the transaction. */
async function begin(session: Client, lockTimeoutMs: number): Promise<void> {
  await session.query(
    `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
     SET LOCAL lock_timeout = ${lockTimeoutMs}`,
  )
}

async function createStepTable(session: Client): Promise<void> {
  try {
    await begin(session, tableLockMs)
    await session.query(`
      CREATE TABLE IF NOT EXISTS schema_migration (
        version integer PRIMARY KEY,
        name text NOT NULL,
        sha256 text NOT NULL,
        applied_at timestamptz NOT NULL
      )`)
    await session.query('COMMIT')
  } catch (cause) {
    if (!(cause instanceof DatabaseError) || !['42501', '3F000'].includes(cause.code ?? '')) throw cause
    const words =
      cause.code === '3F000'
        ? 'No schema of search_path is there: create one of them, owned by the role, or set search_path otherwise.'
        : 'The role may not create tables in this database: make it the owner of the database.'
    throw new MigrationError('not_allowed', `${words} (${cause.message})`, { cause })
  }
}

async function selectAppliedSteps(session: Client): Promise<AppliedStep[]> {
  const { rows } = await session.query<AppliedStep>(
    'SELECT version, name, sha256 FROM schema_migration ORDER BY version',
  )
  return rows
}

function refuseForeignSteps(steps: readonly AppliedStep[], migrations: readonly Migration[]): void {
  const newest = steps.at(-1)
  if (newest !== undefined && newest.version > migrations.length) {
    throw new MigrationError(
      'database_newer',
      `The database has schema version ${newest.version} ("${newest.name}"), this program knows ${migrations.length}. ` +
        'Start the newer program, or restore a backup made by this one.',
    )
  }
  for (const [index, step] of steps.entries()) {
    const migration = migrations[index]
    if (migration?.version === step.version && migration.sha256 === step.sha256) continue
    throw new MigrationError(
      'file_changed',
      `The database has migration ${step.version} ("${step.name}") in another form than this program. ` +
        'An applied migration is never changed; write a new one.',
    )
  }
}

/** Processes of the release before go on meanwhile, and may lock the same tables in another order. */
const maxDeadlocks = 20

async function applyStep(
  session: Client,
  migration: Migration,
  onWait: (step: string) => void,
): Promise<void> {
  const until = performance.now() + giveUpMs
  for (let [deadlocks, waits] = [0, 0]; ;) {
    try {
      await applyOnce(session, migration)
      return
    } catch (cause) {
      const code = cause instanceof DatabaseError ? cause.code : undefined
      if (code === '40P01') deadlocks += 1
      const isWorthRetrying =
        (code === '40P01' && deadlocks < maxDeadlocks) || (code === '55P03' && performance.now() < until)
      if (!isWorthRetrying) throw stepFailed(migration, cause)
      await session.query('ROLLBACK')
      if (code !== '55P03') continue
      waits += 1
      if (waits === 1) onWait(fullName(migration))
      await sleep(pauseMs)
    }
  }
}

function stepFailed(migration: Migration, cause: unknown): MigrationError {
  const reason = cause instanceof Error ? cause.message : 'unknown error'
  return new MigrationError('step_failed', `Migration ${fullName(migration)} failed: ${reason}`, { cause })
}

async function applyOnce(session: Client, migration: Migration): Promise<void> {
  await begin(session, tableLockMs)
  await refuseOtherHands(session, migration)
  const before = await selectTransactionId(session)
  await session.query(migration.text)
  if ((await selectTransactionId(session)) !== before)
    throw new Error('the file ends the transaction it runs in')
  await session.query(
    'INSERT INTO schema_migration (version, name, sha256, applied_at) VALUES ($1, $2, $3, clock_timestamp())',
    [migration.version, migration.name, migration.sha256],
  )
  await session.query('COMMIT')
}

/** A process that lost the lock with its session stops once another one has continued. */
async function refuseOtherHands(session: Client, { version }: Migration): Promise<void> {
  await session.query('LOCK TABLE schema_migration IN SHARE ROW EXCLUSIVE MODE')
  const steps = await selectAppliedSteps(session)
  if (steps.length !== version - 1) throw new Error('another process is migrating the same database')
}

async function selectTransactionId(session: Client): Promise<string | undefined> {
  const { rows } = await session.query<{ id: string }>('SELECT pg_current_xact_id()::text AS id')
  return rows[0]?.id
}

function fullName(migration: Migration): string {
  return `${String(migration.version).padStart(4, '0')}_${migration.name}`
}
