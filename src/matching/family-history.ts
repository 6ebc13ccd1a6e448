import { sql } from 'kysely'
import type { FamilyHistoryDay } from '../contract/inventory.ts'
import type { Db } from '../database/connection.ts'

const shownDays = 730

/**
 * The newest 730 days on which findings of a family opened or closed, oldest first. A finding that closed and came back counts
 * as open since it was first seen. Index finding_subject.
 */
export async function selectFamilyHistory(
  db: Db,
  { workspaceId, familyId, timeZone }: { workspaceId: string; familyId: string; timeZone: string },
): Promise<FamilyHistoryDay[]> {
  const { rows } = await sql<FamilyHistoryDay>`
    with own as materialized (
      select first_seen_at, closed_at from finding where workspace_id = ${workspaceId} and family_id = ${familyId}
    ),
    change as (
      select (first_seen_at at time zone ${timeZone}::text)::date as day, 1 as opened, 0 as closed from own
      union all
      select (closed_at at time zone ${timeZone}::text)::date, 0, 1 from own where closed_at is not null
    ),
    daily as (select day, sum(opened) as opened, sum(closed) as closed from change group by day)
    select to_char(day, 'YYYY-MM-DD') as day, opened, closed, open
    from (
      select day, opened, closed, sum(opened - closed) over (order by day)::bigint as open
      from daily
      order by day desc
      limit ${shownDays}
    ) newest
    order by newest.day`.execute(db)
  return rows
}
