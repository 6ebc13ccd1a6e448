import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { lastHeirs, type GroupMerge } from '../../vulndata/store/group-merges.ts'
import { transact } from '../../platform/concurrency/transact.ts'

/**
 * What incidents are about, what documents hold back and what somebody has put aside follow their vulnerability into the group it was merged into, as findings
 * do: otherwise a dismissed match would be for review again. Of two dismissals of the same the earlier stays. A second run changes nothing.
 */
export async function followGroups(db: Db, mergedGroups: readonly GroupMerge[]): Promise<void> {
  if (mergedGroups.length === 0) return
  const merges = lastHeirs(mergedGroups)
  const merge = sql`unnest(
    ${merges.map(({ from }) => from)}::bigint[], ${merges.map(({ into }) => into)}::bigint[]
  ) as m (from_id, into_id)`
  await transact(db, async (tx) => {
    await sql`
      with concerned as (
        select d.*, coalesce(m.into_id, d.group_id) as heir_id
        from dismissed_match d left join ${merge} on m.from_id = d.group_id
      )
      delete from dismissed_match d using concerned c, concerned earlier
      where d.id = c.id and earlier.heir_id = c.heir_id and earlier.workspace_id = c.workspace_id
        and earlier.family_id = c.family_id and earlier.version_id is not distinct from c.version_id
        and earlier.identity_id = c.identity_id and (earlier.dismissed_at, earlier.id) < (c.dismissed_at, c.id)`.execute(
      tx,
    )
    for (const table of ['dismissed_match', 'suppressed_opening', 'incident_affected'] as const) {
      await sql`
        update ${sql.table(table)} t set group_id = m.into_id from ${merge} where t.group_id = m.from_id`.execute(
        tx,
      )
    }
  })
}
