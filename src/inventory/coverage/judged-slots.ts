import { sql } from 'kysely'
import type { Judged } from '../../contract/findings/counts.ts'
import type { Db } from '../../database/connection.ts'
import { uuidList } from '../../platform/postgres/columns.ts'
import { judgedComponents, stateOfJudged } from '../../findings/inventory/judged-components.ts'

type Slot = Judged & { familyId: string; versionId: string | null }

/**
 * How many components of the active SBOM of each version in use can be judged by data loaded whole. Where none can, the absence of findings
 * means nothing, and no page shows it as zero.
 */
export async function selectJudgedSlots(
  db: Db,
  { workspaceId, familyIds }: { workspaceId: string; familyIds: readonly string[] },
): Promise<Slot[]> {
  const { rows } = await sql<Slot>`
    select s.family_id as "familyId", s.version_id as "versionId",
      coalesce(sum(i.components) filter (where ${stateOfJudged} = 'covered'), 0)::bigint as covered,
      coalesce(sum(i.components), 0)::bigint as components
    from sbom s
    left join product_version p on p.id = s.version_id
    ${judgedComponents('s.id', sql`cardinality(s.component_numbers)`)}
    where s.workspace_id = ${workspaceId} and s.active and p.retired_at is null
      and s.family_id = any(${uuidList(familyIds)})
    group by s.family_id, s.version_id`.execute(db)
  return rows
}

/** Of several versions together. */
export function sumJudged(slots: readonly Judged[]): Judged {
  return {
    covered: slots.reduce((sum, { covered }) => sum + covered, 0),
    components: slots.reduce((sum, { components }) => sum + components, 0),
  }
}
