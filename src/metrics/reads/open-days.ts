import { sql } from 'kysely'
import type { OpenDay } from '../../contract/metrics/shapes.ts'
import { bySeverity, type Severity } from '../../contract/severities.ts'
import type { Db } from '../../database/connection.ts'
import { openSpans, ownFindings } from '../days/open-spans.ts'
import { beginOf, chosenFamilies, type MetricsPeriod, type MetricsScope } from './scope.ts'

type Change = { day: string; severity: Severity; change: number }

/**
 * The first day of the period and every day in it on which the open findings of a severity became more or less, each with what was open at
 * its end. The severity of a finding is the one that the sources state now: what they stated before is not kept. Indexes finding_subject,
 * finding_turn_family.
 */
export async function selectOpenDays(db: Db, scope: MetricsScope, period: MetricsPeriod): Promise<OpenDay[]> {
  const { firstDay, timeZone } = period
  const { rows } = await sql<Change>`
    with ${chosenFamilies(scope)},
    ${ownFindings(sql`f.closed_at >= ${beginOf(period)}`)},
    ${openSpans(sql`t.family_id in (select id from chosen)`)},
    span as (
      select o.severity, greatest((s.from_at at time zone ${timeZone}::text)::date, ${firstDay}::date) as from_day,
        (s.until_at at time zone ${timeZone}::text)::date as until_day
      from open_span s
      join own o on o.id = s.id
      where s.until_at is null or s.until_at >= ${beginOf(period)}
    )
    select to_char(day, 'YYYY-MM-DD') as day, severity, sum(change)::bigint as change
    from (
      select from_day as day, severity, 1 as change from span
      union all
      select until_day, severity, -1 from span where until_day is not null
    ) changes
    group by day, severity
    having sum(change) <> 0
    order by day`.execute(db)
  return runningCounts(rows, firstDay)
}

/** Turns what changed each day into what there was at its end. */
export function runningCounts(changes: readonly Change[], firstDay: string): OpenDay[] {
  const byDay = Map.groupBy(changes, ({ day }) => day)
  const days: OpenDay[] = []
  let open = bySeverity(() => 0)
  for (const day of new Set([firstDay, ...byDay.keys()])) {
    open = { ...open }
    for (const { severity, change } of byDay.get(day) ?? []) open[severity] += change
    days.push({ day, open })
  }
  return days
}
