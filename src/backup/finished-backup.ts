import type { Db } from '../database/connection.ts'

/** Records for the metrics that a backup was written: nobody notices a missing one until it is needed. */
export async function recordBackup(db: Db, backup: { finishedAt: Date; bytes: number }): Promise<void> {
  const values = { finished_at: backup.finishedAt, size_bytes: backup.bytes }
  await db
    .insertInto('finished_backup')
    .values(values)
    .onConflict((conflict) => conflict.column('is_last').doUpdateSet(values))
    .execute()
}

/** Records that a backup was restored and compared, and nothing was missing. */
export async function recordVerification(
  db: Db,
  verified: { verifiedAt: Date; backupAt: Date },
): Promise<void> {
  const values = { verified_at: verified.verifiedAt, backup_at: verified.backupAt }
  await db
    .insertInto('verified_backup')
    .values(values)
    .onConflict((conflict) => conflict.column('is_last').doUpdateSet(values))
    .execute()
}
