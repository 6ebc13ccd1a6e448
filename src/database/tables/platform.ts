import type { Generated } from 'kysely'
import type { Json } from '../json-column.ts'

/** Jobs, a table that only tells whether the disk takes writes, and one that only tells whether the keys are right. */
export type PlatformTables = {
  store_probe: StoreProbeTable
  job: JobTable
  sealing_canary: SealingCanaryTable
}

type SealingCanaryTable = { id: Generated<boolean>; envelope: Buffer; sealed_at: Date }

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
