import { sql } from 'kysely'
import type { RetentionRule } from '../queue/schedule/retention.ts'

const keptDays = 90

export const alertsRetention: readonly RetentionRule[] = [
  {
    what: 'deliveries of alerts, sent or not',
    kept: '90 days after they were made',
    // index alert_delivery_ended
    over: (now) => sql`
      select id from alert_delivery
      where state in ('sent', 'failed', 'not_sent')
        and created_at <= ${now}::timestamptz - make_interval(days => ${sql.lit(keptDays)})`,
    remove: async (tx, ids) => {
      await sql`delete from alert_delivery where id = any(${ids}::uuid[])`.execute(tx)
    },
  },
]
