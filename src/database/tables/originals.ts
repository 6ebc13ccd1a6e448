import type { Generated } from 'kysely'

/** Objects in the object store. */
export type OriginalsTables = { original_object: OriginalObjectTable }

type OriginalObjectTable = {
  id: string
  workspace_id: string
  sha256: Buffer
  sealed_sha256: Buffer
  sealed_bytes: number
  key_id: number
  bucket: Generated<string | null>
  state: 'staged' | 'kept' | 'erasing' | 'lost'
  staged_at: Generated<Date>
  kept_at: Generated<Date | null>
  erase_from: Generated<Date | null>
}
