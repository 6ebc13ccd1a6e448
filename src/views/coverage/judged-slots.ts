import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { uuidList } from '../../platform/postgres/columns.ts'
import { sourceOfIdentity } from '../../vulndata/source-of-identity.ts'

type Slot = { familyId: string; versionId: string | null }

/**
 * The versions whose active SBOM has a component that data loaded whole can decide about. Where there is none, no finding means that nobody
 * could look, and no page shows it as a zero.
 */
export async function selectJudgedSlots(
  db: Db,
  { workspaceId, familyIds }: { workspaceId: string; familyIds: readonly string[] },
): Promise<Slot[]> {
  const { rows } = await sql<Slot>`
    select s.family_id as "familyId", s.version_id as "versionId"
    from sbom s
    join sbom_inventory v on v.sbom_id = s.id
    where s.workspace_id = ${workspaceId} and s.active
      and s.family_id = any(${uuidList(familyIds)})
      and exists (
        select from jsonb_to_recordset(v.coverage) as i (decidability text, ecosystem text)
        join data_source d on d.name = ${sourceOfIdentity} and d.is_whole
        where i.decidability = 'covered'
      )`.execute(db)
  return rows
}
