import type { Logger } from 'pino'
import type { Db } from '../database/connection.ts'
import type { Clock } from './clock.ts'

/** What a process builds once and hands on; functions ask for the part they use. */
export type Deps = {
  db: Db
  now: Clock
  log: Logger
}
