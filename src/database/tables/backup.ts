import type { Generated } from 'kysely'

/** When a backup was last written, and checked. */
export type BackupTables = { finished_backup: FinishedBackupTable; verified_backup: VerifiedBackupTable }

type FinishedBackupTable = { is_last: Generated<boolean>; finished_at: Date; size_bytes: number }

type VerifiedBackupTable = { is_last: Generated<boolean>; verified_at: Date; backup_at: Date }
