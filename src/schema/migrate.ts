import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError, type Client, type ClientConfig } from 'pg'
import { openSession } from '../platform/postgres/session.ts'
import { selectLockHolders } from './lock-holders.ts'
import { type Migration, MigrationError, readMigrations } from './migration-files.ts'
import { begin, type Hands, patiently, stepFailed } from './patience.ts'

/** What a run changed: the names of the steps it applied, oldest first, and the version reached. */
export type MigrationResult = { applied: string[]; version: number }

type AppliedStep = { version: number; name: string; sha256: string }

/** Not a step, but may be locked as well. */
const stepTable = 'schema_migration'
const applicationName = 'sbom-monitor migrate'
/** Held while the schema changes, so that processes started together migrate once. */
const migrationLock = 5_021_377_404
/** How long the other process may take. */
const migrationLockMs = 30 * 60_000
const lockEveryMs = 100

type MigrateOptions = {
  /** The state of an older release whose data are about to be restored. */
  upTo?: number
  /** Told once of each step that finds a table in another transaction, and whose: nothing is served yet, and the log would be silent for minutes. */
  onWait?: (step: string, heldBy: readonly string[]) => void
  /** Told when another process is changing the schema: it may take as long. */
  onQueue?: (heldBy: readonly string[]) => void
  /** Waiting is given up then. */
  stopping?: AbortSignal
}

const silent = () => undefined

/**
 * Brings the schema of a database to the state of the folder's files, each in a transaction of its own. Forward only, and no
 * further than `upTo`.
 * Throws MigrationError: `files_invalid`, `database_newer`, `not_allowed`, `file_changed`, `step_failed`.
 */
export async function migrate(
  connection: ClientConfig,
  folder: string,
  {
    upTo = Number.POSITIVE_INFINITY,
    onWait = silent,
    onQueue = silent,
    stopping = new AbortController().signal,
  }: MigrateOptions = {},
): Promise<MigrationResult> {
  const migrations = readMigrations(folder)
  return underLock(connection, { onQueue, stopping }, async (holder) => {
    const { client: session } = await openSession(connection, { applicationName })
    const hands = { session, holder, onWait, stopping }
    try {
      const steps = await patiently(hands, stepTable, () => openStepTable(session))
      refuseForeignSteps(steps, migrations)
      const missing = migrations.filter(({ version }) => version > steps.length && version <= upTo)
      for (const migration of missing) await applyStep(hands, migration)
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
async function underLock<T>(
  connection: ClientConfig,
  waiting: Parameters<typeof takeLock>[1],
  work: (holder: Client) => Promise<T>,
): Promise<T> {
  const { client: holder } = await openSession(connection, { applicationName })
  try {
    await begin(holder)
    await takeLock(holder, waiting)
    return await work(holder)
  } finally {
    // With a session that was lost the lock was too.
    await holder.query('ROLLBACK').catch(() => undefined)
    await holder.end()
  }
}

/** Asked for again and again: whoever waits for it in a statement cannot be told to stop. */
async function takeLock(
  holder: Client,
  { onQueue, stopping }: Required<Pick<MigrateOptions, 'onQueue' | 'stopping'>>,
): Promise<void> {
  const until = performance.now() + migrationLockMs
  for (let isTold = false; ;) {
    const { rows } = await holder.query<{ taken: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS taken', [
      migrationLock,
    ])
    if (rows[0]?.taken === true) return
    const isOver = performance.now() > until
    if (!isTold || isOver) {
      const heldBy = await selectLockHolders(holder, migrationLock)
      if (isOver) throw lockKept(heldBy)
      onQueue(heldBy)
      isTold = true
    }
    await sleep(lockEveryMs, undefined, { signal: stopping })
  }
}

function lockKept(heldBy: readonly string[]): MigrationError {
  const words = `Another process has been changing the schema for ${migrationLockMs / 60_000} minutes: ${heldBy.join('; ')}. End it, and start again.`
  return new MigrationError('step_failed', words)
}

/** The steps that were applied. */
async function openStepTable(session: Client): Promise<AppliedStep[]> {
  try {
    await session.query(`
      CREATE TABLE IF NOT EXISTS schema_migration (
        version integer PRIMARY KEY,
        name text NOT NULL,
        sha256 text NOT NULL,
        applied_at timestamptz NOT NULL
      )`)
    return await selectAppliedSteps(session)
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

async function applyStep(hands: Hands, migration: Migration): Promise<void> {
  try {
    await patiently(hands, fullName(migration), () => applyOnce(hands.session, migration))
  } catch (cause) {
    throw stepFailed(fullName(migration), cause)
  }
}

async function applyOnce(session: Client, migration: Migration): Promise<void> {
  await refuseOtherHands(session, migration)
  const before = await selectTransactionId(session)
  await session.query(migration.text)
  if ((await selectTransactionId(session)) !== before)
    throw new Error('the file ends the transaction it runs in')
  await session.query(
    'INSERT INTO schema_migration (version, name, sha256, applied_at) VALUES ($1, $2, $3, clock_timestamp())',
    [migration.version, migration.name, migration.sha256],
  )
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
