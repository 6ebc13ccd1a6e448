import { sql } from 'kysely'
import type { Tx } from '../../database/connection.ts'

/** Ids for rows that are about to be written, so that rows referring to them can be written in bulk. */
export async function takeIds(
  tx: Tx,
  table: 'vulnerability' | 'vulnerability_group',
  count: number,
): Promise<number[]> {
  if (count === 0) return []
  const { rows } = await sql<{ id: number }>`
    select nextval(s.name) as id
    from (select pg_get_serial_sequence(${table}, 'id')::regclass as name offset 0) s
    cross join generate_series(1, ${count}::int)
    order by 1`.execute(tx)
  return rows.map((row) => row.id)
}
