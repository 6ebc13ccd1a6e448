import type { Db } from './connection.ts'
import type { Tables } from './tables.ts'

/** Tables whose rows name their family. */
type TableOfFamily = {
  [Name in keyof Tables]: 'workspace_id' | 'family_id' extends keyof Tables[Name] ? Name : never
}[keyof Tables]

/** Deletes the rows of a family, table after table. A room names only tables of its own. */
export async function deleteOfFamily(
  db: Db,
  tables: readonly TableOfFamily[],
  { workspaceId, familyId }: { workspaceId: string; familyId: string },
): Promise<void> {
  for (const table of tables) {
    await db
      .deleteFrom(table)
      .where('workspace_id', '=', workspaceId)
      .where('family_id', '=', familyId)
      .execute()
  }
}
