import { sql } from 'kysely'
import type { RetentionRule } from '../queue/schedule/retention.ts'
import { dayMs } from '../contract/durations.ts'

const keptMs = 90 * dayMs

export const workspaceRetention: readonly RetentionRule[] = [
  {
    what: 'ids of events of the payment provider',
    kept: '90 days',
    over: (now) => {
      const before = new Date(now.getTime() - keptMs)
      return sql`select id from billing_event where received_at <= ${before}`
    },
    remove: async (tx, ids) => {
      await sql`delete from billing_event where id = any(${ids}::text[])`.execute(tx)
    },
  },
  {
    what: 'keys of acts, and what these answered',
    kept: 'a day',
    over: (now) => {
      const before = new Date(now.getTime() - dayMs)
      return sql`select ctid::text as id from act_key where at <= ${before}`
    },
    remove: async (tx, ids) => {
      await sql`delete from act_key where ctid = any(${ids}::tid[])`.execute(tx)
    },
  },
]
