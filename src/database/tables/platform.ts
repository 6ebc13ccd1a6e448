import type { Generated } from 'kysely'

/** What tells whether the disk takes writes, whether the keys are right, and when a backup was last written, and checked. */
export type PlatformTables = {
  finished_backup: FinishedBackupTable
  verified_backup: VerifiedBackupTable
  store_probe: StoreProbeTable
  sealing_canary: SealingCanaryTable
}

type SealingCanaryTable = { id: Generated<boolean>; envelope: Buffer; sealed_at: Date }

type FinishedBackupTable = { is_last: Generated<boolean>; finished_at: Date; size_bytes: number }

type VerifiedBackupTable = { is_last: Generated<boolean>; verified_at: Date; backup_at: Date }

type StoreProbeTable = { filler: string }
