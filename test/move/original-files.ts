import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { originalColumns } from '../../src/cli/operation/objects.ts'
import { originalsInDatabase } from '../../src/originals/originals.ts'
import type { Installation } from './move-scene.ts'

type Row = { id: string; bytes: Buffer | null; objectId: string | null }
export type OriginalFiles = Record<string, { sha256: string; place: 'database' | 'store' }>

/** Every original of a workspace as read there, by the row that names it. */
export async function readOriginalFiles(
  { store, sealing, originals = originalsInDatabase }: Installation,
  workspaceId: string,
): Promise<OriginalFiles> {
  const files: OriginalFiles = {}
  for (const column of await originalColumns()) {
    const { rows } = await sql<Row>`
      select id, ${sql.ref(column.column)} as bytes, object_id as "objectId" from ${sql.table(column.table)}
      where workspace_id = ${workspaceId} and (${sql.ref(column.column)} is not null or object_id is not null)`.execute(
      store.db,
    )
    for (const { id, bytes, objectId } of rows) {
      const kept = await originals.read(store.db, { workspaceId, bytes, objectId })
      const { opened } = column
      const file =
        objectId === null && opened !== undefined ? opened(sealing, { workspaceId, id }, kept) : kept
      const place = objectId === null ? 'database' : 'store'
      files[`${column.table} ${id}`] = { sha256: createHash('sha256').update(file).digest('hex'), place }
    }
  }
  return files
}
