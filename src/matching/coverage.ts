import { sql } from 'kysely'
import type { ShownCoverage } from '../contract/sbom.ts'
import type { Db } from '../database/connection.ts'
import { sourceOfIdentity, stateOfIdentity } from '../vulndata/source-of-identity.ts'
import { componentsOfSbom } from '../sbom/components-of-sbom.ts'
import { sumStates, type CountedState } from './coverage-states.ts'

/**
 * How many components of an SBOM can be decided, and why the others cannot: shown beside the findings, so that nothing looks
 * clean by omission. Components of an ecosystem whose data has never been loaded count as such.
 */
export async function selectCoverage(
  db: Db,
  { workspaceId, sbomId }: { workspaceId: string; sbomId: string },
): Promise<ShownCoverage> {
  const { rows } = await sql<CountedState>`
    select
      ${stateOfIdentity} as decidability,
      count(*) as components
    from sbom s
    cross join ${componentsOfSbom}
    left join component_identity i on i.id = c.identity_id
    left join data_source d on d.name = ${sourceOfIdentity}
    where s.workspace_id = ${workspaceId} and s.id = ${sbomId}
    group by 1`.execute(db)
  return sumStates(rows)
}
