import { sql } from 'kysely'
import type { Tx } from '../../database/connection.ts'
import { uuidList } from '../../platform/postgres/columns.ts'
import {
  findingColumns,
  matchColumns,
  matchJoins,
  type Candidate,
} from '../../vulnerabilities/openings/select-candidates.ts'
import type { VulnerabilityNames } from './vulnerability-names.ts'

const maxMatches = 1_000

/** The open findings of the families on the vulnerability, sure or not. */
export async function selectMatches(
  tx: Tx,
  workspaceId: string,
  { families, names }: { families: readonly string[]; names: VulnerabilityNames },
): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    with concerned as (
      select ${findingColumns('f', 'y')}, f.exploited_by
      from finding f
      join family y on y.id = f.family_id
      where f.workspace_id = ${workspaceId} and f.family_id = any(${uuidList(families)})
        and f.group_id = any(${names.groupIds}::bigint[]) and f.closed_at is null
    )
    select ${matchColumns}, ${names.vulnKey} as "vulnKey", null as part, '{}'::text[] as aliases, c.exploited_by as "listedBy"
    from concerned c
    ${matchJoins(workspaceId)}
    order by c.family_id, v.name, c.identity_id
    limit ${maxMatches}`.execute(tx)
  return rows
}
