import type { Db } from '../../database/connection.ts'

export type SourceRow = {
  address: string | null
  lastAttemptAt: Date | null
  lastSuccessAt: Date | null
  /** Since when its publisher has said that it has no such part. */
  absentSince: Date | null
  /** The first of the attempts that have failed since the last success. */
  failingSince: Date | null
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
      'absent_since as absentSince',
      'failing_since as failingSince',
      'record_count as recordCount',
      'watermark',
      'content_hash as contentHash',
    ])
    .where('name', '=', name)
    .executeTakeFirst()
}

/** Lets the next refresh of a source read everything, although its publisher may have nothing new. */
export async function forgetContent(db: Db, name: string): Promise<void> {
  await db.updateTable('data_source').set({ content_hash: null }).where('name', '=', name).execute()
}
