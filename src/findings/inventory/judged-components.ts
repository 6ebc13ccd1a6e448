import { sql, type RawBuilder } from 'kysely'
import type { ShownDecidability } from '../../contract/identity.ts'
import { loadOfSource, sourceOfIdentity } from '../../vulndata/source-of-identity.ts'

/**
 * Joins SBOMs with the counts made when they were matched, as rows of `i` (decidability, ecosystem, other_ecosystems, release, reason,
 * components), with the source of each as `d`. A new SBOM has no counts yet: all its `components` count as without
 * loaded data.
 */
export function judgedComponents(sbomId: string, components: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    left join sbom_inventory v on v.sbom_id = ${sql.ref(sbomId)}
    cross join jsonb_to_recordset(coalesce(v.coverage,
      jsonb_build_array(jsonb_build_object('decidability', 'data_not_loaded', 'components', ${components}))))
      as i (decidability text, ecosystem text, other_ecosystems text[], release text, reason text, components bigint)
    left join data_source d on d.name = ${sourceOfIdentity('i')}`
}

/** The common table expression `active`: the active SBOMs of a workspace, without archived families and retired versions. */
export function activeSboms(workspaceId: string): RawBuilder<unknown> {
  return sql`
    active as materialized (
      select s.id, s.component_numbers
      from sbom s
      join family y on y.id = s.family_id and y.archived_at is null and y.deleted_at is null
      left join product_version p on p.id = s.version_id
      where s.workspace_id = ${workspaceId} and s.active and p.retired_at is null
    )`
}

/** The state of such components, given what is now loaded of their source. */
export const stateOfJudged = sql<ShownDecidability>`case when i.decidability = 'covered' then ${loadOfSource('i', 'd')} else i.decidability end`
