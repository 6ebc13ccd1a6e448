import { sql, type RawBuilder } from 'kysely'
import type { ShownDecidability } from '../../contract/identity.ts'
import { loadOfSource, sourceOfIdentity } from '../../vulndata/source-of-identity.ts'

/**
 * Joins to SBOMs what was counted of them when they were matched, as rows of `i` (decidability, ecosystem, other_ecosystems, release, reason,
 * components), with the source of each as `d`. An SBOM that has just arrived was not counted:
 * the data of all its `components` are not loaded.
 */
export function judgedComponents(sbomId: string, components: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    left join sbom_inventory v on v.sbom_id = ${sql.ref(sbomId)}
    cross join jsonb_to_recordset(coalesce(v.coverage,
      jsonb_build_array(jsonb_build_object('decidability', 'data_not_loaded', 'components', ${components}))))
      as i (decidability text, ecosystem text, other_ecosystems text[], release text, reason text, components bigint)
    left join data_source d on d.name = ${sourceOfIdentity('i')}`
}

/** The state of such components with what is loaded of their source now. */
export const stateOfJudged = sql<ShownDecidability>`case when i.decidability = 'covered' then ${loadOfSource('i', 'd')} else i.decidability end`
