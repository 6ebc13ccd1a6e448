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

/** The state of such components, given what is now loaded of their source. */
export const stateOfJudged = sql<ShownDecidability>`case when i.decidability = 'covered' then ${loadOfSource('i', 'd')} else i.decidability end`
