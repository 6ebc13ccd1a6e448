import type { Tx } from '../../database/connection.ts'
import type { OnProgress } from '../../source-files/progress.ts'
import type { ImportReport } from '../reading/record-import.ts'
import type { Feed, FileKind, FileWork, Source } from '../sources/source.ts'

/** A file that is taken over. */
export type Taking = { path: string; now: Date; recordsBefore: number; onProgress: OnProgress }

/** `records`: all of the file; the others: what has changed by it. */
export type TakenOver = {
  records: number
  added: number
  changed: number
  withdrawn: number
  /** When the publisher released the file, where it says so. */
  releasedAt?: Date | null
}

/** A source that is one file, which replaces all that is stored of it. */
export type OneFile = Pick<Source, 'id' | 'label' | 'brings'> &
  Pick<FileKind, 'begins' | 'holds'> & {
    feed: Feed
    /** In the import's transaction. Refuses (`RefusedData`) what is broken anywhere. */
    takeOver: (tx: Tx, taking: Taking) => Promise<TakenOver>
    /** What is taken from the same file afterwards. */
    besides?: (work: FileWork) => Promise<ImportReport[]>
  }
