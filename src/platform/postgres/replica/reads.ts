import type { Db } from '../../../database/connection.ts'

/**
 * A place in the log that the primary writes and standbys replay, as PostgreSQL writes it (`16/B374D848`): whoever has replayed it knows all that was
 * committed before.
 */
export type LogPosition = string

const positionForm = /^[0-9A-F]{1,8}\/[0-9A-F]{1,8}$/

/** Also of what a browser sends: a place that never was costs whoever sends it a second of waiting. */
export function readLogPosition(text: string | undefined): LogPosition | null {
  return text !== undefined && positionForm.test(text) ? text : null
}

type Reading = {
  /** What must be seen: the last act of whoever asks. Null: they have done nothing. */
  seen: LogPosition | null
  /** Where the reading goes on after `work` has answered, it has its session until this ends. */
  held?: AsyncDisposableStack
}

/** Where what only reads, and for long, is read. */
export type Reads = {
  /**
   * Reads on a standby that has replayed `seen`, or on the primary. `work` may run twice: on the primary again, when the standby gave it up. It is
   * the last word of a standby that `work` has answered: what is read later of it fails with it.
   */
  read: <T>(reading: Reading, work: (db: Db) => Promise<T>) => Promise<T>
  /** How far the log is after an act; null where nothing is read elsewhere. */
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
