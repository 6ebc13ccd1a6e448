import { sql } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import type { VexFormat } from '../../contract/vex/shapes.ts'
import type { Db, Tx } from '../../database/connection.ts'
import type { Tables } from '../../database/tables.ts'
import { lastArrival } from '../../products/families/arrival.ts'
import type { StoredVex } from './receipt.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'
import { planAndDates, type PlanAndDates } from '../../workspace/state.ts'

type FileKey = FamilyKey & { sha256: Buffer }

type PlanColumns = PlanAndDates & { slug: string }

type DuplicateColumns = {
  id: string | null
  format: VexFormat | null
  statement_count: number | null
  finding_count: number | null
  unbound_count: number | null
  version_name: string | null
}

/** The workspace's plan, the family's last arrival, and the VEX document of the family that is the same file. Served by vex_document_file. */
export async function selectStanding(
  db: Db,
  { workspaceId, familyId, sha256 }: FileKey,
): Promise<{ workspace: PlanColumns; lastArrivalAt: Date | null; duplicate: StoredVex | null }> {
  const result = await sql<PlanColumns & DuplicateColumns & { last_arrival_at: Date | null }>`
    select w.slug, ${planAndDates('w')},
      ${lastArrival({ workspaceId, familyId })} as last_arrival_at,
      d.id, d.format, d.statement_count, d.finding_count, d.unbound_count, v.name as version_name
    from workspace w
    left join vex_document d on d.workspace_id = w.id and d.family_id = ${familyId} and d.sha256 = ${sha256}
      and d.sbom_id is null
    left join product_version v on v.family_id = d.family_id and v.id = d.version_id
    where w.id = ${workspaceId}`.execute(db)
  const row = result.rows[0]
  if (row === undefined) throw new ServiceError('unauthorized')
  return { workspace: row, lastArrivalAt: row.last_arrival_at, duplicate: duplicateOf(row) }
}

function duplicateOf(row: DuplicateColumns & { slug: string }): StoredVex | null {
  const { id, format, statement_count: statements, finding_count: findings, unbound_count: unbound } = row
  if (id === null || format === null) return null
  if (statements === null || findings === null || unbound === null) return null
  return {
    id,
    workspaceSlug: row.slug,
    format,
    statements,
    findings,
    unbound,
    productVersion: row.version_name,
    replaced: 0,
    isDuplicate: true,
  }
}

type Slot = {
  workspaceId: string
  familyId: string
  versionId: string | null
  source: Tables['vex_document']['source']
}

/**
 * Takes a slot from the documents in force there; returns which those were. The newcomer need not be stored yet. Served by
 * vex_document_active.
 */
export async function replaceDocuments(
  tx: Tx,
  { workspaceId, familyId, versionId, source }: Slot,
  { by, at }: { by: string; at: Date },
): Promise<string[]> {
  const rows = await tx
    .updateTable('vex_document')
    .set({ replaced_by: by, replaced_at: at })
    .where('workspace_id', '=', workspaceId)
    .where('family_id', '=', familyId)
    .where('version_id', versionId === null ? 'is' : '=', versionId)
    .where('source', '=', source)
    .where('replaced_by', 'is', null)
    .where('withdrawn_at', 'is', null)
    .where('sbom_id', 'is', null)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}
