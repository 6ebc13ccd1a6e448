import { sql } from 'kysely'
import type { SourceOutcome } from '../../contract/sources/shapes.ts'
import type { Db } from '../../database/connection.ts'

export type Attempt = { name: string; address: string | null; now: Date }

declare const isWritten: unique symbol

/** The outcome of an attempt at a source, as on its row: made only by the functions that write it there. */
export type Ended = Readonly<Ending> & { readonly [isWritten]: true }

type Ending = { name: string } & (
  | { outcome: Exclude<SourceOutcome, 'error'> }
  | { outcome: 'error'; message: string }
)

/** What the source has now. */
export type Taken = {
  recordCount: number
  /** undefined keeps what is stored. */
  watermark?: Date | null
  contentHash?: string | null
  /** Everything the publisher has was taken over just now; undefined: only changes, so the source is as complete as before. */
  isWhole?: true
}

/** Call it in the transaction that writes the data. */
export async function recordNewData(db: Db, attempt: Attempt, taken: Taken): Promise<Ended> {
  return end(db, attempt, 'new_data', columnsOf(attempt, taken))
}

/** `confirmed`: the content that its publisher says is still current; null: it was not asked, and the data is as old as before. */
export async function recordUnchanged(db: Db, attempt: Attempt, confirmed: Taken | null): Promise<Ended> {
  return end(db, attempt, 'unchanged', confirmed === null ? {} : columnsOf(attempt, confirmed))
}

/** Its publisher says that it has no such part. */
export async function recordAbsent(db: Db, attempt: Attempt): Promise<Ended> {
  const absentSince = sql<Date>`coalesce(absent_since, ${attempt.now}::timestamptz)`
  return end(db, attempt, 'unchanged', { absent_since: absentSince })
}

/** Its publisher no longer has such a part: what is stored stays, but is no longer complete. */
export async function recordEnded(db: Db, attempt: Attempt): Promise<Ended> {
  await db.updateTable('data_source').set({ is_whole: false }).where('name', '=', attempt.name).execute()
  return recordAbsent(db, attempt)
}

/**
 * Why an attempt failed. The last good data and its times stay. `since`: when attempts began to fail, where what this one has taken over was recorded
 * already.
 */
export async function recordError(
  db: Db,
  attempt: Attempt,
  message: string,
  since: Date | null = null,
): Promise<Ended> {
  await noteAttempt(db, attempt)
  await db
    .updateTable('data_source')
    .set({
      last_outcome: 'error',
      last_error: message,
      failing_since: sql`coalesce(${since}::timestamptz, case when last_error is null then ${attempt.now}::timestamptz
        else coalesce(failing_since, ${attempt.now}::timestamptz) end)`,
    })
    .where('name', '=', attempt.name)
    .execute()
  return written({ name: attempt.name, outcome: 'error', message })
}

/** As `recordError`, for an attempt without an outcome: its process was killed, or the store was away. Otherwise does nothing. */
export async function recordBroken(db: Db, attempt: Attempt, message: string): Promise<void> {
  const row = await db
    .selectFrom('data_source')
    .select('last_outcome')
    .where('name', '=', attempt.name)
    .executeTakeFirst()
  if (row?.last_outcome === null) await recordError(db, attempt, message)
}

/**
 * A part of a source was taken over, such as a file by hand. It makes no source complete, and a complete one no newer: its age is that of the
 * rest. Call it in the transaction that writes the data.
 */
export async function recordPart(
  db: Db,
  { name, address, now }: Attempt,
  { recordCount }: Pick<Taken, 'recordCount'>,
): Promise<Ended> {
  await sql`
    insert into data_source as d (name, address, last_attempt_at, last_success_at, record_count, last_outcome)
    values (${name}, ${address}, ${now}::timestamptz, ${now}::timestamptz, ${recordCount}, 'new_data')
    on conflict (name) do update set
      record_count = excluded.record_count,
      address = case when d.is_whole then d.address else excluded.address end,
      last_attempt_at = case when d.is_whole then d.last_attempt_at else excluded.last_attempt_at end,
      last_success_at = case when d.is_whole then d.last_success_at else excluded.last_success_at end,
      last_outcome = case when d.is_whole then d.last_outcome else excluded.last_outcome end,
      last_error = case when d.is_whole then d.last_error end,
      failing_since = case when d.is_whole then d.failing_since end,
      absent_since = null`.execute(db)
  return written({ name, outcome: 'new_data' })
}

/**
 * Records the start of an attempt, before anything is requested: its outcome is open. What was read from another address does not tell what
 * is new at this one.
 */
export async function noteAttempt(db: Db, { name, address, now }: Attempt): Promise<void> {
  await db
    .insertInto('data_source')
    .values({ name, address, last_attempt_at: now })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({
        address,
        last_attempt_at: now,
        last_outcome: null,
        content_hash: sql`case when data_source.address is not distinct from ${address} then data_source.content_hash end`,
      }),
    )
    .execute()
}

type Columns = {
  last_success_at?: Date
  record_count?: number
  watermark?: Date | null
  content_hash?: string | null
  is_whole?: true
  absent_since?: ReturnType<typeof sql<Date>>
}

function columnsOf({ now }: Attempt, { recordCount, watermark, contentHash, isWhole }: Taken): Columns {
  return {
    last_success_at: now,
    record_count: recordCount,
    ...(watermark === undefined ? {} : { watermark }),
    ...(contentHash === undefined ? {} : { content_hash: contentHash }),
    ...(isWhole === undefined ? {} : { is_whole: true }),
  }
}

async function end(
  db: Db,
  attempt: Attempt,
  outcome: Exclude<SourceOutcome, 'error'>,
  columns: Columns,
): Promise<Ended> {
  await noteAttempt(db, attempt)
  await db
    .updateTable('data_source')
    .set({ last_outcome: outcome, last_error: null, failing_since: null, absent_since: null, ...columns })
    .where('name', '=', attempt.name)
    .execute()
  return written({ name: attempt.name, outcome })
}

function written(ended: Ending): Ended {
  return ended as Ended
}
