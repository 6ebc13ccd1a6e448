import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { hashKey } from './hash-key.ts'
import { enqueueRefreshes } from '../../workspace/monitoring/enqueue-refresh.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'
import { monitored } from '../../workspace/state.ts'

/**
 * After malware records came to state digests, or no longer state them (job `match_digests`): enqueues a refresh of every family with a component that
 * has one, found in each workspace by the index component_hash_search, and of those whose newest components are not in it yet.
 */
export async function matchDigests(
  db: Db,
  { digests, now }: { digests: readonly string[]; now: Date },
): Promise<void> {
  const { rows } = await sql<FamilyKey>`
    with live as materialized (select w.id from workspace w where ${monitored('w', now)})
    select f.workspace_id as "workspaceId", f.id as "familyId"
    from family f
    left join component_search p on p.family_id = f.id
    where f.workspace_id in (select id from live) and f.archived_at is null and f.deleted_at is null
      and (f.next_component_number > coalesce(p.next_number, 1) or f.id in (
        select h.family_id
        from live
        cross join unnest(${digests}::text[]) as d (hash)
        cross join lateral (
          select family_id from component_hash
          where search_key = ${hashKey(sql`live.id`, sql`split_part(d.hash, ':', 2)`)}
          offset 0
        ) h
      ))
    order by f.id`.execute(db)
  await enqueueRefreshes(db, rows, now)
}
