import type { Db } from '../../database/connection.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Sealing } from '../../platform/sealing/sealing.ts'

/**
 * What a room does periodically by the product clock. Any number of processes may do it at the same moment, so a second run must
 * change nothing.
 */
export type ScheduledWork = {
  name: string
  /** Fetches from outside: skipped where an installation must work only with local data. */
  fetches?: boolean
  /** Reads much and is in no hurry: done a few times a day. */
  seldom?: boolean
  /** Once `stopping` is aborted it ends soon, at a point from which the next run continues. */
  run: (
    place: { db: Db; config: Config; sealing: Sealing; stopping?: AbortSignal },
    now: Date,
  ) => Promise<void>
}
