import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../database/connection.ts'
import { uuidList } from '../platform/postgres/columns.ts'
import { prepared } from '../platform/postgres/prepared.ts'
import type { FamilyKey } from '../workspace/monitoring/family-key.ts'

export type SbomKey = { workspaceId: string; sbomId: string }

/** A product version of a family; the version null is the slot of SBOMs that name none. */
export type VersionSlot = FamilyKey & { versionId: string | null }

/** A version as one of its SBOMs shows it: the active one, unless another is named. */
export type VersionView = VersionSlot & { sbomId?: string }

/** Whether an SBOM `s` is the one of a view. */
export function isSbomOf({ workspaceId, familyId, versionId, sbomId }: VersionView): RawBuilder<boolean> {
  return sql<boolean>`s.workspace_id = ${workspaceId} and s.family_id = ${familyId}
    and ${isVersion('s.version_id', versionId)} and ${sbomId === undefined ? sql`s.active` : sql`s.id = ${sbomId}`}`
}

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

type SlotOfSbom = VersionSlot & SbomKey & { components: number }

/** The same for several SBOMs, with the number of their components, in the order of their ids; unknown ones are left out. */
export async function selectSlots(
  db: Db,
  { workspaceId, sbomIds }: { workspaceId: string; sbomIds: readonly string[] },
): Promise<SlotOfSbom[]> {
  const { rows } = await sql<SlotOfSbom>`
    select id as "sbomId", workspace_id as "workspaceId", family_id as "familyId", version_id as "versionId",
      component_count as components
    from sbom
    where workspace_id = ${workspaceId} and id = any(${uuidList(sbomIds)})
    order by id
    ${prepared}`.execute(db)
  return rows
}
