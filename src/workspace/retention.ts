import { sql } from 'kysely'
import type { RetentionRule } from '../platform/jobs/retention.ts'
import { idleBefore } from './people/sessions.ts'

const keptMs = 30 * 24 * 3_600_000

export const workspaceRetention: readonly RetentionRule[] = [
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
  {
    what: 'ids of events of the payment provider',
    kept: '90 days',
    over: (now) => {
      const before = new Date(now.getTime() - 3 * keptMs)
      return sql`select id from billing_event where received_at <= ${before}`
    },
    remove: async (tx, ids) => {
      await sql`delete from billing_event where id = any(${ids}::text[])`.execute(tx)
    },
  },
]
