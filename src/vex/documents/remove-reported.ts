import { sql } from 'kysely'
import type { Tx } from '../../database/connection.ts'
import { uuidList } from '../../platform/postgres/columns.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'

/** Removes what these SBOMs said about vulnerabilities. Call it before they are deleted; none of their statements is in force. */
export async function removeReported(
  tx: Tx,
  { workspaceId, familyId }: FamilyKey,
  sbomIds: readonly string[],
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from vex_document
    where workspace_id = ${workspaceId} and family_id = ${familyId} and sbom_id = any(${uuidList(sbomIds)})`.execute(
    tx,
  )
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  for (const table of ['vex_link', 'vex_target', 'vex_claim', 'vex_statement'] as const) {
    await tx.deleteFrom(table).where('family_id', '=', familyId).where('document_id', 'in', ids).execute()
  }
  await tx.deleteFrom('vex_document').where('workspace_id', '=', workspaceId).where('id', 'in', ids).execute()
}
