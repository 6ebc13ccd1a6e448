import type { DocumentFile } from '../../source-files/documents.ts'
import type { OnProgress } from '../../source-files/progress.ts'
import type { Waiting } from '../ledger/import-lock.ts'
import type { Ended } from '../ledger/outcomes.ts'
import type { KnownHashes } from '../records/known-hashes.ts'
import type { PreparedRecord } from '../records/prepared-record.ts'

/** Records that are being read. Close it after reading. */
export type RecordReading = {
  /** null: not known before the end. */
  count: number | null
  /** The records, some hundred at a time. `known` are deciding hashes that are stored: their ranges are not likely to be needed. */
  batches: (known: KnownHashes) => AsyncGenerator<PreparedRecord[]>
  /** What was passed over so far, where its file says so. */
  unread: readonly UnreadDocument[]
  /** Names of the awaited documents that could be read. */
  readAgain: readonly string[]
  close: () => Promise<void>
}

/** A document that could not be read, by its name without the folder, and why. */
export type UnreadDocument = { name: string; reason: string }

/** A file or folder of records and their source; `any`: whichever they look like. By name, because functions cannot be sent to a thread. */
export type RecordFile = {
  file: DocumentFile
  compiler: string
  /** Documents that cannot be read are passed over, instead of the file being refused. */
  passesOver?: boolean
  /** Names of documents that could not be read before. */
  awaited?: readonly string[]
}

/**
 * How much of its sources an import brings. `whole`: all there is, so records it lacks are withdrawn; `changes`: what changed since the last
 * time; `part`: some records, after which the sources count as no more complete and no newer than before.
 */
export type Extent = 'whole' | 'changes' | 'part'

export type RecordImport = {
  reading: RecordReading
  /** Shown with progress, and the address kept with the source. */
  label: string
  address: string
  /** Ecosystem whose records these are; null: of any, found by their packages. */
  ecosystem: string | null
  extent: Extent
  /** The source of all these records where it is no ecosystem: records of it that a whole import lacks are withdrawn. */
  wholeOf?: string
  /** New watermark of the ecosystem; null: the newest time among the records. undefined: unchanged. */
  watermark?: Date | null
  /** What the source says of the whole file, to recognise it unread next time. */
  contentHash?: string | null
  /** The row that keeps the success and the content hash; undefined: the sources of the records. */
  noteAs?: string
  /** An empty result does not mean that the source is broken. */
  mayBeEmpty?: boolean
  /**
   * When the ecosystem had last been taken over before this was fetched (null: never). Another import may have taken over something newer
   * meanwhile: then this one writes nothing (`Superseded`).
   */
  fetchedAfter?: Date | null
  /**
   * The source of what was passed over, and for how long that is left alone at first. `areSingle`: files that were fetched one by one;
   * `completes`: everything else was read before, so that the source is whole once nothing is unread.
   */
  unreadOf?: { source: string; leftForMs?: number; areSingle?: boolean; completes?: boolean }
  waiting: Waiting
  now: Date
  onProgress: OnProgress
  /** Everything is read, though not yet written. */
  onRead?: () => void
}

/** The outcomes of its sources' rows, by name, are written in the transaction of the records. */
export type RecordsTaken = { report: RecordReport; endings: ReadonlyMap<string, Ended> }

export type RecordReport = {
  /** `osv:Go`, `nvd`, or `osv` for records of several ecosystems. */
  source: string
  records: number
  added: number
  changed: number
  edited: number
  withdrawn: number
  unchanged: number
  unorderedBounds: number
  mergedGroups: number
  /** A record of each set of more than 32 ids, left ungrouped. */
  oversizedGroups: string[]
  /** Jobs ordered for components on changed packages. */
  matchJobs: number
}

/** Of a file that replaces all that is stored of its source. */
export type OneFileReport = {
  source: string
  records: number
  added: number
  changed: number
  withdrawn: number
}

export type ImportReport = RecordReport | OneFileReport
