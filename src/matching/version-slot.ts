import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../database/connection.ts'

export type SbomKey = { workspaceId: string; sbomId: string }

/** A product version of a family; the version null is the slot of SBOMs that name none. */
export type VersionSlot = { workspaceId: string; familyId: string; versionId: string | null }

/** Whether a column is the version of a slot, null being one of its own; written so that indexes serve it. */
export function isVersion(column: string, versionId: string | null): RawBuilder<boolean> {
  return versionId === null
    ? sql<boolean>`${sql.ref(column)} is null`
    : sql<boolean>`${sql.ref(column)} = ${versionId}`
}

/** The family and version an SBOM belongs to; undefined when the workspace has no such SBOM. */
export async function selectSlot(db: Db, { workspaceId, sbomId }: SbomKey): Promise<VersionSlot | undefined> {
  return db
    .selectFrom('sbom')
    .select(['workspace_id as workspaceId', 'family_id as familyId', 'version_id as versionId'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sbomId)
    .executeTakeFirst()
}
