import type { Generated } from 'kysely'
import type { Json } from '../json-column.ts'

export type QueueTables = { job: JobTable }

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
