import { sql } from 'kysely'
import type { Tx } from '../../database/connection.ts'
import type { ComponentNumbers } from '../../sbom/retention/remove-sboms.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'
import { hashKey } from '../../sbom/components/hash-key.ts'
import { lockProgress } from './index-components.ts'

/**
 * Removes components of a family from the index of `searchComponents`, while they still exist. It waits for whoever adds new ones, or they
 * wait for it. A text stays for as long as some component of the workspace has the same name.
 */
export async function forgetNumbers(tx: Tx, family: FamilyKey, numbers: ComponentNumbers): Promise<void> {
  const { workspaceId, familyId } = family
  await lockProgress(tx, family)
  await sql`
    with gone as materialized (
      select c.number, lower(c.name) collate "C" as name, c.hashes
      from unnest(${numbers}::int4multirange) as r (run)
      join component c on c.family_id = ${familyId} and c.number >= lower(r.run) and c.number < upper(r.run)
      where c.workspace_id = ${workspaceId}
    ),
    names as (
      delete from component_name n
      using gone g
      where n.workspace_id = ${workspaceId} and n.name = g.name and n.family_id = ${familyId} and n.number = g.number
    ),
    texts as (
      delete from component_text t
      using (select name, array_agg(number) as numbers from gone group by name) g
      where t.workspace_id = ${workspaceId} and t.name = g.name and not exists (
        select from component_name c
        where c.workspace_id = ${workspaceId} and c.name = t.name
          and not (c.family_id = ${familyId} and c.number = any(g.numbers))
      )
    )
    delete from component_hash h
    using (
      select distinct ${hashKey(workspaceId, sql`split_part(k.hash, ':', 2)`)} as search_key, g.number
      from gone g
      cross join unnest(g.hashes) as k (hash)
    ) g
    where h.search_key = g.search_key and h.family_id = ${familyId} and h.number = g.number`.execute(tx)
}
