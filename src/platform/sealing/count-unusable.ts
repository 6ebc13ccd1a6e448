import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'
import type { SealedColumn } from './reseal.ts'
import type { Sealing } from './sealing.ts'

/** How many rows hold a value that was sealed with a key which is not there: it cannot be used until the key is. */
export async function countUnusable(
  db: Db,
  { ring }: Sealing,
  columns: readonly SealedColumn[],
): Promise<number> {
  const rows = new Set<string>()
  for (const { table, column } of columns) {
    const found = await sql<{ id: string; key: Buffer }>`
      select id, substring(${sql.ref(column)} from 2 for 4) as key from ${sql.table(table)}
      where ${sql.ref(column)} is not null`.execute(db)
    for (const { id, key } of found.rows)
      if (ring?.find(key.readUInt32BE(0)) === undefined) rows.add(`${table} ${id}`)
  }
  return rows.size
}
