import type { Db } from '../../../database/connection.ts'

/**
 * A position in the log that the primary writes and standbys replay, as PostgreSQL writes it (`16/B374D848`): whoever has replayed it knows all that was
 * committed before.
 */
export type LogPosition = string

const positionForm = /^[0-9A-F]{1,8}\/[0-9A-F]{1,8}$/

/** Also checks what a browser sends: a position that was never reached costs its sender a second of waiting. */
export function readLogPosition(text: string | undefined): LogPosition | null {
  return text !== undefined && positionForm.test(text) ? text : null
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
