import { sql } from 'kysely'
import type { VexFormat } from '../contract/vex/shapes.ts'
import type { Db } from '../database/connection.ts'
import type { VexRevision } from '../formats/vex/vex-state.ts'
import { newId } from '../platform/random.ts'
import type { FamilyKey } from '../workspace/monitoring/family-key.ts'

type Exported = FamilyKey & { versionId: string | null; format: VexFormat }

/**
 * The number of this export of the state of a version, or of all versions: each export raises it, under a stable id. Simultaneous
 * exports are a millisecond apart, as the history of a CSAF document demands.
 */
export async function numberExport(
  db: Db,
  { workspaceId, familyId, versionId, format }: Exported,
  now: Date,
): Promise<VexRevision> {
  const { rows } = await sql<VexRevision>`
    insert into vex_export as e (workspace_id, family_id, version_id, format, document_id, exports, first_at, last_at)
    values (${workspaceId}, ${familyId}, ${versionId}::uuid, ${format}, ${newId(now)}, 1, ${now}, ${now})
    on conflict (family_id, version_id, format) do update
    set exports = e.exports + 1, last_at = greatest(excluded.last_at, e.last_at + interval '1 millisecond')
    returning document_id as "documentId", exports as number, first_at as "firstAt", last_at as at`.execute(
    db,
  )
  const [revision] = rows
  if (revision === undefined) throw new Error('the export was not numbered')
  return revision
}
