import { sql, type RawBuilder } from 'kysely'
import type { Duration, Metrics, SeverityTimes } from '../../contract/metrics/shapes.ts'
import { severities, type Severity } from '../../contract/severities.ts'
import type { Db } from '../../database/connection.ts'
import { findingSeverity, ownSeverity } from '../../findings/own-severity.ts'
import { beginOf, chosenFamilies, type MetricsPeriod, type MetricsScope } from './scope.ts'

/** Seconds, interpolated between the two nearest where the middle lies between them. */
type Quantiles = [number, number] | null
type Row = {
  /** null: of all. */
  severity: Severity | null
  decided: number
  decided_in: Quantiles
  decided_before: number
  fixed: number
  fixed_in: Quantiles
  waiting: number
  waiting_for: Quantiles
}

/**
 * How long findings took to be decided and to be fixed. The first verdict is the one that was kept with the finding; of one decided under an
 * earlier release, the earlier of the verdict in force and the first turn. A finding is fixed if the product no longer has it (unless its version was retired,
 * its SBOM taken out of use or only the data changed), or a verdict in force declares it fixed; one declared not affected never needed a fix.
 */
export async function selectDurations(
  db: Db,
  scope: MetricsScope,
  { now, ...period }: MetricsPeriod & { now: Date },
): Promise<Pick<Metrics, 'times' | 'all'>> {
  const inPeriod = (at: RawBuilder<unknown>) => sql`${at} >= ${beginOf(period)} and ${at} <= ${now}`
  const decided = sql`decided_at > first_seen_at and ${inPeriod(sql`decided_at`)}`
  const fixed = sql`${inPeriod(sql`fixed_at`)}`
  const waiting = sql`closed_at is null and decided_at is null`
  const { rows } = await sql<Row>`
    with ${chosenFamilies(scope)},
    ${judgedFindings(period)}
    select severity,
      count(*) filter (where ${decided}) as decided, ${quantiles(sql`decided_at - first_seen_at`, decided)} as decided_in,
      count(*) filter (where decided_at <= first_seen_at and ${inPeriod(sql`first_seen_at`)}) as decided_before,
      count(*) filter (where ${fixed}) as fixed, ${quantiles(sql`fixed_at - first_seen_at`, fixed)} as fixed_in,
      count(*) filter (where ${waiting}) as waiting, ${quantiles(sql`${now}::timestamptz - first_seen_at`, waiting)} as waiting_for
    from judged
    group by grouping sets ((severity), ())`.execute(db)
  const bySeverity = new Map(rows.map((row) => [row.severity, timesOf(row)]))
  return {
    all: bySeverity.get(null) ?? nothing,
    times: severities.flatMap((severity) => {
      const times = bySeverity.get(severity)
      return times === undefined || isNothing(times) ? [] : [{ severity, ...times }]
    }),
  }
}

/** Of the families `chosen`; as `ownFindings`. */
function judgedFindings(period: MetricsPeriod): RawBuilder<unknown> {
  return sql`
    turned as materialized (
      select t.finding_id, min(t.at) as at from chosen y join finding_turn t on t.family_id = y.id
      where t.is_settled group by t.finding_id
    ),
    judged as (
      select f.first_seen_at, f.closed_at, ${findingSeverity.severity} as severity,
        coalesce(f.first_verdict_at, case when e.at is not null then greatest(e.at, f.first_seen_at) end) as decided_at,
        least(
          case when f.verdict = 'fixed' then greatest(f.first_seen_at, f.verdict_since) end,
          case when f.verdict is distinct from 'not_affected' and not f.ended_by_data and ${isStillWatched} then f.closed_at end
        ) as fixed_at
      from chosen y
      join finding f on f.family_id = y.id
      join vulnerability_group g on g.id = f.group_id
      left join ${ownSeverity(sql.ref('f.identity_id'))}
      left join turned t on t.finding_id = f.id
      cross join lateral (
        select least(case when f.verdict <> 'under_investigation' then f.verdict_since end, t.at) as at
      ) e
      left join product_version p on p.id = f.version_id
      where f.closed_at is null or f.closed_at >= ${beginOf(period)}
    )`
}

/** Whether a later SBOM could say that the finding `f` of the version `p` is gone: one is active, or the version was retired afterwards. */
const isStillWatched = sql`
  case when p.retired_at is not null then f.closed_at < p.retired_at
    else exists (select from sbom s where s.family_id = f.family_id and s.version_id is not distinct from f.version_id and s.active) end`

function quantiles(duration: RawBuilder<unknown>, where: RawBuilder<unknown>): RawBuilder<Quantiles> {
  return sql<Quantiles>`
    percentile_cont(array[0.5, 0.9]) within group (order by extract(epoch from ${duration})) filter (where ${where})`
}

function timesOf(row: Row): Omit<SeverityTimes, 'severity'> {
  return {
    verdict: durationOf(row.decided, row.decided_in),
    verdictBefore: row.decided_before,
    fix: durationOf(row.fixed, row.fixed_in),
    waiting: durationOf(row.waiting, row.waiting_for),
  }
}

function durationOf(count: number, measured: Quantiles): Duration {
  const [median, p90] = measured ?? [null, null]
  return { count, medianSeconds: rounded(median), p90Seconds: rounded(p90) }
}

function rounded(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds)
}

const none: Duration = { count: 0, medianSeconds: null, p90Seconds: null }
const nothing = { verdict: none, verdictBefore: 0, fix: none, waiting: none }

function isNothing({ verdict, verdictBefore, fix, waiting }: typeof nothing): boolean {
  return verdict.count + verdictBefore + fix.count + waiting.count === 0
}
