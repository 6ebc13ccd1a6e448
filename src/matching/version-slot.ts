import { sql, type RawBuilder } from 'kysely'

/** A product version of a family; the version null is the slot of SBOMs that name none. */
export type VersionSlot = { workspaceId: string; familyId: string; versionId: string | null }

/** Whether a column is the version of a slot, null being one of its own; written so that indexes serve it. */
export function isVersion(column: string, versionId: string | null): RawBuilder<boolean> {
  return versionId === null
    ? sql<boolean>`${sql.ref(column)} is null`
    : sql<boolean>`${sql.ref(column)} = ${versionId}`
}
