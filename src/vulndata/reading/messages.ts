import type { KnownHashes } from '../records/known-hashes.ts'
import type { RecordFile, UnreadDocument } from './record-import.ts'
import type { SentBatch } from './sent-batch.ts'

export type ThreadData = {
  /** Where the compiled form of the program lies, so that the thread starts sooner; null: nowhere. */
  compileCache: string | null
}

export type FromThread =
  | { kind: 'opened'; count: number | null }
  | ({ kind: 'batch' } & SentBatch)
  /** Every batch was taken; another file may be opened. */
  | { kind: 'end'; unread: readonly UnreadDocument[]; readAgain: readonly string[] }
  | { kind: 'refused'; message: string }

export type ToThread =
  | ({ kind: 'open' } & RecordFile)
  | { kind: 'begin'; known: KnownHashes }
  /** A batch was taken: another may be sent. */
  | { kind: 'taken' }

/** How far to read ahead, so that neither side waits for the other's pauses; more would only fill the memory. */
export const batchesAhead = 3
