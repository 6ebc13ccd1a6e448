import { sql } from 'kysely'
import type { RetentionRule } from '../queue/schedule/retention.ts'

/** The page of metrics shows a year. */
const keptDays = 800
/** What was lost is shown for a week. */
const keptCoverageDays = 62

export const metricsRetention: readonly RetentionRule[] = [
  {
    what: 'daily counts of families',
    kept: '800 days',
    // index family_day_old; a row that is locked stays where it is
    over: (now) => sql`
      select ctid::text as id from family_day where counted_at <= ${now}::timestamptz - make_interval(days => ${sql.lit(keptDays)})`,
    remove: async (tx, ids) => {
      await sql`delete from family_day where ctid = any(${ids}::tid[])`.execute(tx)
    },
  },
  {
    what: 'daily counts of coverage by ecosystem',
    kept: '62 days',
    // index coverage_day_old; a row that is locked stays where it is
    over: (now) => sql`
      select ctid::text as id from coverage_day
      where counted_at <= ${now}::timestamptz - make_interval(days => ${sql.lit(keptCoverageDays)})`,
    remove: async (tx, ids) => {
      await sql`delete from coverage_day where ctid = any(${ids}::tid[])`.execute(tx)
    },
  },
]
