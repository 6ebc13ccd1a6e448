import { sql, type RawBuilder } from 'kysely'
import { findingSeverity, ownSeverity } from '../../findings/own-severity.ts'

/**
 * The common table expression `own`: the findings, with the severity that is stated now, of the families `chosen (id)` of a workspace that
 * are open, or whose closing (`closed_at` of `f`) is what `closedInTime` says. The workspace is not asked for a second time: among many
 * workspaces the server would expect no finding to have both. Index finding_subject.
 */
export function ownFindings(closedInTime: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    own as materialized (
      select f.id, f.first_seen_at, f.closed_at, ${findingSeverity.severity} as severity
      from chosen y
      join finding f on f.family_id = y.id
      join vulnerability_group g on g.id = f.group_id
      left join ${ownSeverity(sql.ref('f.identity_id'))}
      where f.closed_at is null or ${closedInTime}
    )`
}

/**
 * The common table expressions `moment`, `state` and `open_span`: the spans of time in which each finding of `own (id, first_seen_at,
 * closed_at)` was open. A finding is open from the day it was first seen until it closed, except while a verdict in force declared it not
 * affected or fixed: each such turn is kept with its time. `turnsOf` restricts the turns `t`. Index finding_turn_family.
 */
export function openSpans(turnsOf: RawBuilder<boolean>): RawBuilder<unknown> {
  return sql`
    -- of a finding what was declared before it was seen counts from then on; what comes last at a moment counts
    moment as (
      select id, first_seen_at as at, 0 as turn, null::boolean as is_settled, closed_at from own
      union all
      select f.id, greatest(t.at, f.first_seen_at), t.id, t.is_settled, f.closed_at
      from finding_turn t
      join own f on f.id = t.finding_id
      where ${turnsOf}
    ),
    state as (
      select m.id, m.at, coalesce(m.is_settled, false) as is_settled,
        lead(m.at) over (partition by m.id order by m.at, m.turn) as next_at, m.closed_at
      from moment m
    ),
    open_span as (
      select id, at as from_at, least(next_at, closed_at) as until_at, coalesce(next_at >= closed_at, next_at is null) as ends_closed,
        row_number() over (partition by id order by at) as place
      from state
      where not is_settled and (next_at is null or next_at > at) and (closed_at is null or closed_at > at)
    )`
}
