import { sql } from 'kysely'
import type { FamilyHistoryDay } from '../../contract/inventory/shapes.ts'
import type { Db } from '../../database/connection.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'
import { openSpans } from '../days/open-spans.ts'

const shownDays = 730

/**
 * The newest 730 days on which the open findings of a family became more or less, oldest first. A finding is open from the day it was
 * first seen until it closed, except while a verdict in force declared it not affected or fixed: each such turn is kept with its time, so that
 * a verdict given or withdrawn today changes no earlier day. So the last day says what every other page counts as open. A finding that
 * closed and came back counts as open since it was first seen. Indexes finding_subject, finding_turn_family.
 */
export async function selectFamilyHistory(
  db: Db,
  { workspaceId, familyId, timeZone }: FamilyKey & { timeZone: string },
): Promise<FamilyHistoryDay[]> {
  const { rows } = await sql<FamilyHistoryDay>`
    with own as materialized (
      select f.id, f.first_seen_at, f.closed_at from finding f where f.workspace_id = ${workspaceId} and f.family_id = ${familyId}
    ),
    ${openSpans(sql`t.family_id = ${familyId}`)},
    -- two spans that meet are one
    joined as (
      select *, from_at is not distinct from lag(until_at) over (partition by id order by place) as continues,
        until_at is not distinct from lead(from_at) over (partition by id order by place) as is_continued
      from open_span
    ),
    change as (
      select (from_at at time zone ${timeZone}::text)::date as day, (place = 1)::int as opened, (place > 1)::int as reopened, 0 as closed,
        0 as settled
      from joined
      where not continues
      union all
      select (until_at at time zone ${timeZone}::text)::date, 0, 0, ends_closed::int, (not ends_closed)::int
      from joined
      where until_at is not null and not is_continued
    ),
    daily as (
      select day, sum(opened) as opened, sum(reopened) as reopened, sum(closed) as closed, sum(settled) as settled
      from change
      group by day
    )
    select to_char(day, 'YYYY-MM-DD') as day, opened, reopened, closed, settled, open
    from (
      select day, opened, reopened, closed, settled,
        sum(opened + reopened - closed - settled) over (order by day)::bigint as open
      from daily
      order by day desc
      limit ${shownDays}
    ) newest
    order by newest.day`.execute(db)
  return rows
}
