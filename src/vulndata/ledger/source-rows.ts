import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'

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

/**
 * Notes that a source is being tried, before anything is asked of it. What was read from another address says nothing of what is new at this
 * one.
 */
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
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({
        address,
        last_attempt_at: now,
        content_hash: sql`case when data_source.address is not distinct from ${address} then data_source.content_hash end`,
      }),
    )
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
