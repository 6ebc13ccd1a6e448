import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { lastHeirs, type GroupMerge } from '../../vulndata/store/group-merges.ts'
import { lockAllFindings } from '../locks.ts'

/**
 * Findings follow their vulnerability into the group it was merged into. Where a component then has the same finding twice, one
 * row stays: with the earliest time it was first seen, open if any of them was, and told as malware if any of them was. Running it twice changes
 * nothing.
 */
export async function moveFindings(db: Db, mergedGroups: readonly GroupMerge[]): Promise<void> {
  if (mergedGroups.length === 0) return
  const merges = lastHeirs(mergedGroups)
  await transact(db, async (tx) => {
    await lockAllFindings(tx)
    await sql`
        with merge as (
          select * from unnest(
            ${merges.map((merge) => merge.from)}::bigint[], ${merges.map((merge) => merge.into)}::bigint[]
          ) as m (from_id, into_id)
        ),
        concerned as (
          select f.id, f.family_id, f.version_id, f.identity_id, m.into_id, f.first_seen_at, f.closed_at, f.first_verdict_at,
            f.malware_told_at, f.ended_by_data, false as is_target
          from merge m join finding f on f.group_id = m.from_id
          union all
          select f.id, f.family_id, f.version_id, f.identity_id, m.into_id, f.first_seen_at, f.closed_at, f.first_verdict_at,
            f.malware_told_at, f.ended_by_data, true
          from (select distinct into_id from merge) m join finding f on f.group_id = m.into_id
        ),
        ranked as (
          select id, into_id,
            min(first_seen_at) over same as first_seen_at,
            case when bool_or(closed_at is null) over same then null else max(closed_at) over same end as closed_at,
            min(first_verdict_at) over same as first_verdict_at,
            min(malware_told_at) over same as malware_told_at,
            bool_and(closed_at is not null and ended_by_data) over same as ended_by_data,
            row_number() over (
              partition by family_id, version_id, identity_id, into_id order by is_target desc, first_seen_at, id
            ) as place
          from concerned
          window same as (partition by family_id, version_id, identity_id, into_id)
        ),
        doubled as (
          delete from finding f using ranked r where f.id = r.id and r.place > 1
        ),
        forgotten as (
          delete from finding_turn t using ranked r where t.finding_id = r.id and r.place > 1
        )
        update finding f
        set group_id = r.into_id, first_seen_at = r.first_seen_at, closed_at = r.closed_at, first_verdict_at = r.first_verdict_at,
          malware_told_at = r.malware_told_at, ended_by_data = r.ended_by_data
        from ranked r
        where f.id = r.id and r.place = 1
          and (f.group_id, f.first_seen_at, f.closed_at, f.first_verdict_at, f.malware_told_at, f.ended_by_data)
            is distinct from (r.into_id, r.first_seen_at, r.closed_at, r.first_verdict_at, r.malware_told_at, r.ended_by_data)`.execute(
      tx,
    )
  })
}
