import type { Generated } from 'kysely'
import type { Json } from '../json-column.ts'

/**
 * Jobs; tables that only tell whether the disk takes writes, whether the keys are right, and when a backup was last written, and checked.
 */
export type PlatformTables = {
  finished_backup: FinishedBackupTable
  verified_backup: VerifiedBackupTable
  store_probe: StoreProbeTable
  job: JobTable
  sealing_canary: SealingCanaryTable
}

type SealingCanaryTable = { id: Generated<boolean>; envelope: Buffer; sealed_at: Date }

type FinishedBackupTable = { is_last: Generated<boolean>; finished_at: Date; size_bytes: number }

type VerifiedBackupTable = { is_last: Generated<boolean>; verified_at: Date; backup_at: Date }

type StoreProbeTable = { filler: string }

type JobTable = {
  id: Generated<number>
  kind: string
  key: string | null
  workspace_id: string
  payload: Json<Record<string, unknown>>
  state: 'waiting' | 'running' | 'failed'
  run_at: Date
  created_at: Date
  attempts: Generated<number>
  max_attempts: number
  leased_until: Date | null
  leased_by: string | null
  failed_at: Date | null
  last_error: string | null
}
