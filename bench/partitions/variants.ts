import type pg from 'pg'
import type { MadeTable } from './made-tables.ts'

/** One way to store the rows of a table. */
export type Variant = { name: string; schema: string; table: string }

export const partitions = 32

/** The columns and indexes that the service's own table has, in one piece, in partitions, and as the table's other ways. */
export async function makeVariants(sql: pg.Client, made: MadeTable): Promise<Variant[]> {
  const names = ['one_piece', 'partitions', ...made.others.map(({ name }) => name)]
  const variants = names.map((name) => ({ name, schema: name, table: `${name}.${made.name}` }))
  for (const { name, schema, table } of variants) {
    await sql.query(`create schema if not exists ${schema}`)
    const partitioned = name === 'partitions' ? ` partition by hash (${made.key})` : ''
    const like = 'including defaults including storage'
    await sql.query(`create table ${table} (like public.${made.name} ${like})${partitioned}`)
    for (let part = 0; partitioned !== '' && part < partitions; part += 1) {
      await sql.query(
        `create table ${table}_${part} partition of ${table} for values with (modulus ${partitions}, remainder ${part})`,
      )
    }
    await change(sql, made, { name, schema, table }, true)
  }
  return variants
}

type OwnIndex = { name: string; definition: string; isUnique: boolean }

/** Built when the rows are there, as `restore` does. A unique index of a partitioned table has to begin with what it is partitioned by. */
export async function makeIndexes(sql: pg.Client, made: MadeTable, variant: Variant): Promise<void> {
  const { rows } = await sql.query<OwnIndex>(
    `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition, i.indisunique as "isUnique"
     from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = $1::regclass order by 1`,
    [`public.${made.name}`],
  )
  for (const { definition, isUnique } of rows) {
    const own = definition.replace(/ ON public\.\w+ /, ` ON ${variant.table} `)
    const isWithout = isUnique && variant.name === 'partitions' && !definition.includes(made.key)
    await sql.query(isWithout ? own.replace('btree (', `btree (${made.key}, `) : own)
  }
  await change(sql, made, variant, false)
}

async function change(sql: pg.Client, made: MadeTable, variant: Variant, isBefore: boolean): Promise<void> {
  const other = made.others.find(({ name, before = false }) => name === variant.name && before === isBefore)
  if (other === undefined) return
  const text = other.change
    .replaceAll('{t}', variant.table)
    .replaceAll(/\{(\w+)\}/g, `${variant.schema}.${made.name}_$1`)
  await sql.query(text)
}

/** Bytes of the rows with what is stored beside them, and of the indexes. */
export async function sizeOf(
  sql: pg.Client,
  { schema, table }: Variant,
): Promise<{ rows: number; indexes: number }> {
  const name = table.slice(schema.length + 1)
  const { rows } = await sql.query<{ rows: number; indexes: number }>(
    `select sum(pg_table_size(c.oid))::float8 as rows, sum(pg_indexes_size(c.oid))::float8 as indexes
     from pg_class c where c.relnamespace = $1::regnamespace and c.relkind = 'r' and c.relname like $2`,
    [schema, `${name}%`],
  )
  return rows[0] ?? { rows: 0, indexes: 0 }
}
