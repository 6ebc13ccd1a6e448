import { sql } from 'kysely'
import type { RetentionRule } from '../queue/schedule/retention.ts'
import { dayMs } from '../contract/durations.ts'
import { idleBefore } from './sessions.ts'

const keptMs = 30 * dayMs

export const peopleRetention: readonly RetentionRule[] = [
  {
    what: 'ended sessions',
    kept: '30 days after they end',
    over: (now) => {
      const ended = new Date(now.getTime() - keptMs)
      return sql`select id from session where expires_at <= ${ended} or last_seen_at <= ${idleBefore(ended)}`
    },
    remove: async (tx, ids) => {
      await sql`delete from session where id = any(${ids}::uuid[])`.execute(tx)
    },
  },
]
