import { sql } from 'kysely'
import type { Db } from '../database/connection.ts'

/** Records as their sources wrote them, by row id. */
export async function selectDocuments(
  db: Db,
  ids: readonly number[],
): Promise<{ id: number; recordId: string; document: string }[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: number; recordId: string; document: string }>`
    select id, record_id as "recordId", document from vulnerability where id = any(${ids}::bigint[]) order by id`.execute(
    db,
  )
  return rows
}
