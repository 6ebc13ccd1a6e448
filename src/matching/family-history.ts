import { sql } from 'kysely'
import type { FamilyHistoryDay } from '../contract/inventory.ts'
import type { Db } from '../database/connection.ts'
import { isSettled } from './finding-query.ts'

const shownDays = 730

/**
 * The newest 730 days on which the open findings of a family became more or less, oldest first. A finding is open from the day it was
 * first seen until it closed, or until the verdict in force on it came, if that declares it not affected or fixed (`isSettled`); one that was
 * declared so before it was seen was never open. So the last day says what every other page counts as open. A finding that closed and
 * came back counts as open since it was first seen. Index finding_subject.
 */
export async function selectFamilyHistory(
  db: Db,
  { workspaceId, familyId, timeZone }: { workspaceId: string; familyId: string; timeZone: string },
): Promise<FamilyHistoryDay[]> {
  const { rows } = await sql<FamilyHistoryDay>`
    with own as materialized (
      select f.first_seen_at, f.closed_at, case when ${isSettled} then f.verdict_since end as settled_at
      from finding f
      where f.workspace_id = ${workspaceId} and f.family_id = ${familyId}
    ),
    open_once as materialized (
      select first_seen_at, closed_at, settled_at, settled_at is not null and settled_at < coalesce(closed_at, 'infinity') as is_declared
      from own
      where settled_at is null or settled_at > first_seen_at
    ),
    change as (
      select (first_seen_at at time zone ${timeZone}::text)::date as day, 1 as opened, 0 as closed, 0 as settled
      from open_once
      union all
      select (closed_at at time zone ${timeZone}::text)::date, 0, 1, 0
      from open_once
      where closed_at is not null and not is_declared
      union all
      select (settled_at at time zone ${timeZone}::text)::date, 0, 0, 1 from open_once where is_declared
    ),
    daily as (
      select day, sum(opened) as opened, sum(closed) as closed, sum(settled) as settled from change group by day
    )
    select to_char(day, 'YYYY-MM-DD') as day, opened, closed, settled, open
    from (
      select day, opened, closed, settled, sum(opened - closed - settled) over (order by day)::bigint as open
      from daily
      order by day desc
      limit ${shownDays}
    ) newest
    order by newest.day`.execute(db)
  return rows
}
