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
    const sealedWith = sql<string>`encode(substring(${sql.ref(column)} from 2 for 4), 'hex')`
    const used = await sql<{ key: string }>`
      select distinct ${sealedWith} as key from ${sql.table(table)} where ${sql.ref(column)} is not null`.execute(
      db,
    )
    const missing = used.rows
      .map(({ key }) => key)
      .filter((key) => ring?.find(Number.parseInt(key, 16)) === undefined)
    if (missing.length === 0) continue
    const found = await sql<{ id: string }>`
      select id from ${sql.table(table)} where ${sealedWith} = any(${missing}::text[])`.execute(db)
    for (const { id } of found.rows) rows.add(`${table} ${id}`)
  }
  return rows.size
}
