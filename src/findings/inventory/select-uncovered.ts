import { sql } from 'kysely'
import type { UndecidedState } from '../../contract/identity.ts'
import type { Db } from '../../database/connection.ts'
import { decidabilityOf } from '../../vulndata/source-of-identity.ts'

type Uncovered = { ecosystem: string | null; release: string; state: UndecidedState; components: number }

/**
 * The components of the active SBOMs of a workspace that records named until a moment in this time, and name no longer: those that it had before that
 * moment, so that nobody learns what others have. Indexes component_identity_uncovered, component_of_identity.
 */
export async function selectUncovered(
  db: Db,
  workspaceId: string,
  { after, until }: { after: Date; until: Date },
): Promise<Uncovered[]> {
  const { rows } = await sql<Uncovered>`
    select i.ecosystem, coalesce(i.release, '') as release, ${decidabilityOf('i')} as state, count(*)::bigint as components
    from component_identity i
    join component c on c.identity_id = i.id and c.workspace_id = ${workspaceId}
    join family y on y.id = c.family_id and y.archived_at is null and y.deleted_at is null
    join sbom s on s.family_id = y.id and s.active and c.number = any(s.component_numbers)
    left join product_version p on p.id = s.version_id
    where i.uncovered_at > ${after}::timestamptz and i.uncovered_at <= ${until}::timestamptz and p.retired_at is null
      -- a release of the program that does not know the note leaves it where a record names the identity again
      and ${decidabilityOf('i')} <> 'covered'
      and exists (
        select from sbom o
        where o.family_id = c.family_id and o.received_at < i.uncovered_at and c.number = any(o.component_numbers)
      )
    group by 1, 2, 3`.execute(db)
  return rows
}
