import { sql } from 'kysely'
import type { Db, Tx } from '../database/connection.ts'

/** The state of one source of vulnerability data, as the application shows it. */
export type SourceState = {
  /** `kev`, `eukev`, `euvd`, `euvd-scores`, `euvdMapping`, `epss`, `nvd`, `nvd-overrides`, `vulnrichment`, `osv` for the OSV source as a whole, `osv:npm` for one ecosystem of it. */
  name: string
  address: string | null
  lastAttemptAt: Date | null
  /** Its age is the age of the data. */
  lastSuccessAt: Date | null
  /** Why the newest attempt was refused; null when it succeeded. */
  lastError: string | null
  recordCount: number
  /** All that its publisher has was taken over at some time; else a part of it, which covers nothing. */
  isWhole: boolean
  /** Of an OSV ecosystem: the last comparison with its whole file, which finds deletions. Null for other sources. */
  reconcile: { lastSuccessAt: Date | null; lastError: string | null } | null
}

const reconcilePrefix = 'osv-reconcile:'
const yearPrefix = 'nvd-year:'
const scoresPrefix = 'nvd-scores:'
const sidePrefixes = [reconcilePrefix, yearPrefix, scoresPrefix]

/** The row that keeps when an ecosystem was last compared with its whole file, beside the row of its deltas. */
export function reconcileName(ecosystem: string): string {
  return reconcilePrefix + ecosystem
}

/** The row that keeps that a year of NVD's feeds is loaded, beside the row of the source. */
export function yearName(year: number): string {
  return yearPrefix + String(year)
}

/** The row that keeps for which CVEs of a year NVD was asked for severities alone. */
export function scoresName(year: number): string {
  return scoresPrefix + String(year)
}

/** Every source that was ever tried, with the times from which its age follows, by name. */
export async function listSources(db: Db): Promise<SourceState[]> {
  const rows = await db.selectFrom('data_source').selectAll().orderBy('name').execute()
  const byName = new Map(rows.map((row) => [row.name, row]))
  return rows
    .filter(({ name }) => !sidePrefixes.some((prefix) => name.startsWith(prefix)))
    .map((row) => {
      const reconcile = row.name.startsWith('osv:') ? byName.get(reconcileName(row.name.slice(4))) : undefined
      return {
        name: row.name,
        address: row.address,
        lastAttemptAt: row.last_attempt_at,
        lastSuccessAt: row.last_success_at,
        lastError: row.last_error,
        recordCount: row.record_count,
        isWhole: row.is_whole,
        reconcile:
          reconcile === undefined
            ? null
            : { lastSuccessAt: reconcile.last_success_at, lastError: reconcile.last_error },
      }
    })
}

export type SourceRow = {
  address: string | null
  lastAttemptAt: Date | null
  lastSuccessAt: Date | null
  recordCount: number
  watermark: Date | null
  contentHash: string | null
}

/** Undefined: the source was never tried. */
export async function selectSource(db: Db, name: string): Promise<SourceRow | undefined> {
  return db
    .selectFrom('data_source')
    .select([
      'address',
      'last_attempt_at as lastAttemptAt',
      'last_success_at as lastSuccessAt',
      'record_count as recordCount',
      'watermark',
      'content_hash as contentHash',
    ])
    .where('name', '=', name)
    .executeTakeFirst()
}

export type Attempt = { name: string; address: string | null; now: Date }

/** Notes that a source is being tried, before anything is asked of it. */
export async function recordAttempt(db: Db, { name, address, now }: Attempt): Promise<void> {
  await db
    .insertInto('data_source')
    .values({
      name,
      address,
      last_attempt_at: now,
      last_success_at: null,
      last_error: null,
      watermark: null,
      content_hash: null,
    })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ address, last_attempt_at: now }))
    .execute()
}

export type Success = Attempt & {
  recordCount: number
  /** undefined keeps what is stored. */
  watermark?: Date | null
  contentHash?: string | null
  /** All that the publisher has was taken over just now; undefined: what changed since, so that the source is as whole as before. */
  isWhole?: true
}

/** Notes that the newest data was taken over. Call it in the transaction that writes the data. */
export async function recordSuccess(db: Db, success: Success): Promise<void> {
  await recordAttempt(db, success)
  await db
    .updateTable('data_source')
    .set({
      last_success_at: success.now,
      last_error: null,
      record_count: success.recordCount,
      ...(success.watermark === undefined ? {} : { watermark: success.watermark }),
      ...(success.contentHash === undefined ? {} : { content_hash: success.contentHash }),
      ...(success.isWhole === undefined ? {} : { is_whole: true }),
    })
    .where('name', '=', success.name)
    .execute()
}

/**
 * Notes that a part of a source was taken over, such as a file by hand. It makes no source whole, and a whole one no newer: what its
 * age says is the age of the rest. Call it in the transaction that writes the data.
 */
export async function recordPart(
  db: Db,
  { name, address, now, recordCount }: Attempt & { recordCount: number },
): Promise<void> {
  await sql`
    insert into data_source as d (name, address, last_attempt_at, last_success_at, record_count)
    values (${name}, ${address}, ${now}::timestamptz, ${now}::timestamptz, ${recordCount})
    on conflict (name) do update set
      record_count = excluded.record_count,
      address = case when d.is_whole then d.address else excluded.address end,
      last_attempt_at = case when d.is_whole then d.last_attempt_at else excluded.last_attempt_at end,
      last_success_at = case when d.is_whole then d.last_success_at else excluded.last_success_at end,
      last_error = case when d.is_whole then d.last_error end`.execute(db)
}

/** Notes why the newest attempt failed. The last good data and its times stay. */
export async function recordFailure(
  db: Db,
  { message, ...attempt }: Attempt & { message: string },
): Promise<void> {
  await recordAttempt(db, attempt)
  await db.updateTable('data_source').set({ last_error: message }).where('name', '=', attempt.name).execute()
}

/**
 * Lets the next refresh read OSV and NVD whole although their files are the same: the code that reads records gives something else
 * than before. What is loaded stays in use meanwhile; files that an operator imported must be imported again.
 */
export async function readSourcesAnew(db: Db): Promise<void> {
  await sql`
    update data_source
    set content_hash = null,
      last_success_at = case when starts_with(name, ${reconcilePrefix}) then null else last_success_at end
    where name = 'nvd' or starts_with(name, ${yearPrefix}) or starts_with(name, ${reconcilePrefix})`.execute(
    db,
  )
}

/** What is imported under one lock: records of all ecosystems share tables and groups, and so do the catalogues. */
const locks = { records: 1, catalogues: 2 } as const
export type ImportLock = keyof typeof locks

const lockClass = 7_401
const pollMs = 500

/**
 * Runs an import that no other process runs at the same time, on one session that holds an advisory lock; a process that dies lets
 * go of it. When another one holds it: waits (`isWaiting` is told meanwhile), or answers undefined at once.
 */
export async function withImportLock<T>(
  db: Db,
  { lock, isWaiting }: { lock: ImportLock; isWaiting: (() => void) | null },
  work: (db: Db) => Promise<T>,
): Promise<T | undefined> {
  return db.connection().execute(async (session) => {
    while (!(await tryLock(session, lock))) {
      if (isWaiting === null) return undefined
      isWaiting()
      await new Promise((resolve) => setTimeout(resolve, pollMs))
    }
    try {
      return await work(session)
    } finally {
      await sql`select pg_advisory_unlock(${lockClass}::int, ${locks[lock]}::int)`.execute(session)
    }
  })
}

async function tryLock(session: Db, lock: ImportLock): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_lock(${lockClass}::int, ${locks[lock]}::int) as locked`.execute(session)
  return rows[0]?.locked === true
}

/**
 * Opens the one transaction of an import. Its statements may take long, and so may reading the next piece of a large file: the limits that
 * protect the store from a hanging request do not hold here.
 */
export async function inImportTransaction<T>(session: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return session.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    return work(tx)
  })
}
