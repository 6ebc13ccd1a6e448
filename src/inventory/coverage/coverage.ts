import { sql } from 'kysely'
import type { ShownCoverage } from '../../contract/sbom/shapes.ts'
import type { Db } from '../../database/connection.ts'
import { loadOfSource, sourceOfIdentity, stateOfIdentity } from '../../vulndata/source-of-identity.ts'
import { componentsOfSbom } from '../../sbom/components/components-of-sbom.ts'
import { sumStates, type CountedState } from './coverage-states.ts'
import type { SbomKey } from '../../findings/version-slot.ts'

/**
 * How many components of an SBOM can be decided, and why the others cannot: shown beside the findings, so that nothing looks
 * clean by omission. Components of an ecosystem whose data has never been loaded count as such. They are counted when the SBOM is matched
 * and kept in its inventory; what is loaded of each source may change any moment and is looked up.
 */
export async function selectCoverage(db: Db, sbom: SbomKey): Promise<ShownCoverage> {
  const { rows } = await sql<CountedState>`
    select case when i.decidability = 'covered' then ${loadOfSource('i', 'd')} else i.decidability end as decidability,
      sum(i.components)::bigint as components
    from sbom_inventory v
    cross join jsonb_to_recordset(v.coverage) as i (decidability text, ecosystem text, other_ecosystems text[], release text, components bigint)
    left join data_source d on d.name = ${sourceOfIdentity('i')}
    where v.workspace_id = ${sbom.workspaceId} and v.sbom_id = ${sbom.sbomId}
    group by 1`.execute(db)
  return rows.length > 0 ? sumStates(rows) : countCoverage(db, sbom)
}

/** The same by checking every component, until the SBOM has an inventory. */
export async function countCoverage(db: Db, { workspaceId, sbomId }: SbomKey): Promise<ShownCoverage> {
  const { rows } = await sql<CountedState>`
    select
      ${stateOfIdentity('i', 'd')} as decidability,
      count(*) as components
    from sbom s
    cross join ${componentsOfSbom('s')}
    left join component_identity i on i.id = c.identity_id
    left join data_source d on d.name = ${sourceOfIdentity('i')}
    where s.workspace_id = ${workspaceId} and s.id = ${sbomId}
    group by 1`.execute(db)
  return sumStates(rows)
}
