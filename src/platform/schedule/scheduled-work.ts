import type { Db } from '../../database/connection.ts'
import type { Config } from '../config/config.ts'

/**
 * What a room does again and again by the product clock. Any number of processes may do it at the same moment, so running it twice
 * changes nothing the second time.
 */
export type ScheduledWork = {
  name: string
  /** Fetches from outside: left out where an installation is to do only what it has at hand. */
  fetches?: boolean
  /** Reads much and is in no hurry: done a few times a day. */
  seldom?: boolean
  /** Once `stopping` is aborted it ends soon, at a place from which the next turn goes on. */
  run: (place: { db: Db; config: Config; stopping?: AbortSignal }, now: Date) => Promise<void>
}
