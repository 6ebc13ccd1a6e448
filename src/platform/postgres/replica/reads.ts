import type { Db } from '../../../database/connection.ts'

/**
 * A position in the log that the primary writes and standbys replay: whoever has replayed it knows all that was committed before. `lsn` as PostgreSQL
 * writes it (`16/B374D848`). Each promotion begins another timeline; positions of two of them do not compare.
 */
export type LogPosition = { timeline: number; lsn: string }

/** Before releases that told timelines, a browser kept the position alone. */
const positionForm = /^(?:(?<timeline>[1-9][0-9]{0,8}):)?(?<lsn>[0-9A-F]{1,8}\/[0-9A-F]{1,8})$/

/** Also checks what a browser sends: a position that was never reached costs its sender a second of waiting. */
export function readLogPosition(text: string | undefined): LogPosition | null {
  const { lsn, timeline = '1' } = positionForm.exec(text ?? '')?.groups ?? {}
  return lsn === undefined ? null : { timeline: Number(timeline), lsn }
}

/** As `readLogPosition` reads it. */
export function writeLogPosition({ timeline, lsn }: LogPosition): string {
  return `${timeline}:${lsn}`
}

type Reading = {
  /** What must be seen: the last act of the asking person. Null: there is none. */
  seen: LogPosition | null
  /** Where reading continues after `work` has answered, it has its session until this ends. */
  held?: AsyncDisposableStack
}

/** Where long reads go. */
export type Reads = {
  /**
   * Reads on a standby that has replayed `seen`, or on the primary. `work` may run twice: again on the primary, when the standby cancelled it.
   * Once `work` has answered there is no way back: later reads fail with the standby.
   */
  read: <T>(reading: Reading, work: (db: Db) => Promise<T>) => Promise<T>
  /** The log position after an act; null where nothing is read elsewhere. */
  position: () => Promise<LogPosition | null>
  close: () => Promise<void>
}

/** Without a standby. */
export function readsOfPrimary(db: Db): Reads {
  return {
    read: (_reading, work) => work(db),
    position: () => Promise.resolve(null),
    close: () => Promise.resolve(),
  }
}
