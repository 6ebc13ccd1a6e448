import { readFileSync } from 'node:fs'
import type pg from 'pg'
import { openLaboratory, type Laboratory } from '../laboratory.ts'
import { report, round, say } from '../report.ts'
import { idOf, madeTables, workspaces, type Chosen, type MadeRead, type MadeTable } from './made-tables.ts'
import { makeIndexes, makeVariants, sizeOf, type Variant } from './variants.ts'

/** Beside the other benchmarks, where an hour is too long. */
const fewer = 500_000
/** Batches that arrive when the table is full, and times that each read is asked. */
const arrivals = 300
const asked = 2000

/** Of `npm run bench -- partitions 50000000`: rows of all tables together; with names of tables behind it only those. */
export function sizeOfTables(args: readonly string[]): { rows: number; tables: readonly MadeTable[] } {
  const named = madeTables.filter(({ name }) => args.includes(name))
  const rows = Number(args.find((arg) => /^\d+$/.test(arg)) ?? fewer)
  return { rows, tables: named.length === 0 ? madeTables : named }
}

/**
 * The tables that grow with the number of workspaces, stored in one piece and in partitions by hash: what it costs the server to add rows, to
 * read as the service reads, to change and remove the rows of workspaces, and to vacuum what that leaves. Processor time of the session, so
 * that other work beside it hardly counts.
 */
export async function benchPartitions(
  _: Laboratory,
  { rows, tables }: ReturnType<typeof sizeOfTables>,
): Promise<void> {
  const laboratory = await openLaboratory()
  const sql = await laboratory.admin()
  try {
    for (const setting of [
      'max_parallel_workers_per_gather = 0',
      'max_parallel_maintenance_workers = 0',
      `maintenance_work_mem = '512MB'`,
      'synchronous_commit = off',
      'jit = off',
    ])
      await sql.query(`set ${setting}`)
    for (const made of tables) await measureTable(sql, made, Math.round(rows * made.share))
  } finally {
    await sql.end()
    await laboratory.close()
  }
}

async function measureTable(sql: pg.Client, made: MadeTable, rows: number): Promise<void> {
  const variants = await makeVariants(sql, made)
  const batches = Math.ceil(rows / made.batch)
  for (const variant of variants) {
    say(`${made.name}, ${variant.name}: ${batches * made.batch} rows`)
    const tell: Tell = (what, value, unit, detail = {}) => {
      const figure = `partitions_${made.name}_${what}`
      report({ figure, value, unit, runs: 1, detail: { stored: variant.name, ...detail } })
    }
    await measureGrowth(sql, { made, variant, batches }, tell)
    for (const read of made.reads) {
      const cpuMs = await measureRead(sql, read, { made, variant, batches })
      tell('read', cpuMs, 'ms of processor', { what: read.name, asked })
    }
    await measureChanges(sql, { made, variant, batches }, tell)
    await sql.query(`drop schema ${variant.schema} cascade`)
  }
}

type Filled = { made: MadeTable; variant: Variant; batches: number }

/** All rows, their indexes, and what arrives when they are there. */
async function measureGrowth(sql: pg.Client, { made, variant, batches }: Filled, tell: Tell): Promise<void> {
  const fill = await spent(sql, () => addBatches(sql, made, variant, { first: 0, last: batches - 1 }))
  await makeIndexes(sql, made, variant)
  await sql.query(`vacuum (analyze) ${variant.table}`)
  const size = await sizeOf(sql, variant)
  const detail = { rows: batches * made.batch, fillCpuMs: round(fill.cpuMs) }
  tell('size', size.rows / 1e6, 'MB', { indexesMB: round(size.indexes / 1e6), ...detail })
  const added = arrivals * made.batch
  const arriving = await spent(sql, async () => {
    for (let b = batches; b < batches + arrivals; b += 1)
      await addBatches(sql, made, variant, { first: b, last: b })
  })
  const walBytesARow = round(arriving.wal / added)
  tell('add', (arriving.cpuMs * 1000) / added, 'µs of processor a row', { rows: added, walBytesARow })
}

type Stretch = { first: number; last: number }

async function addBatches(
  sql: pg.Client,
  made: MadeTable,
  { table }: Variant,
  { first, last }: Stretch,
): Promise<void> {
  const names = Object.keys(made.values)
  const values = Object.values(made.values)
  await sql.query(
    `insert into ${table} (${names.join(', ')}) select ${values.join(', ')}
     from generate_series(${first}::bigint, ${last}) b, generate_series(b * ${made.batch}, b * ${made.batch} + ${made.batch - 1}) i
     on conflict do nothing`,
  )
}

/** As through a pooler: parsed and planned each time. */
async function measureRead(
  sql: pg.Client,
  read: MadeRead,
  { made, variant, batches }: Filled,
): Promise<number> {
  const chosen = await choose(sql, made, batches)
  const text = read.text.replaceAll('{t}', variant.table)
  const { cpuMs } = await spent(sql, async () => {
    for (let turn = 0; turn < asked; turn += 1) {
      const one = chosen[turn % chosen.length]
      if (one !== undefined) await sql.query(text, read.values(one))
    }
  })
  return cpuMs / asked
}

/** The same batches for each variant, spread over all of them. */
async function choose(sql: pg.Client, made: MadeTable, batches: number): Promise<Chosen[]> {
  const { rows } = await sql.query<Chosen>(
    `select b::integer as batch, ${idOf('w', `b % ${workspaces}`)} as workspace, ${idOf('f', 'b')} as family,
       (b * $2::bigint % 2000000000)::integer as start,
       array(select ${idOf('c', 'i')} from generate_series(b * $2, b * $2 + 99) i) as made
     from (select n * 7919 % $1::bigint as b from generate_series(1, 500) n) x`,
    [batches, made.batch],
  )
  return rows
}

type Tell = (what: string, value: number, unit: string, detail?: Record<string, unknown>) => void

/** One workspace is deleted, the rows of twenty change; what is left of both is vacuumed, as autovacuum would. */
async function measureChanges(sql: pg.Client, { made, variant, batches }: Filled, tell: Tell): Promise<void> {
  const { table } = variant
  if (made.key !== 'workspace_id') return
  const ids = async (first: number, last: number) => {
    const { rows } = await sql.query<{ id: string }>(
      `select ${idOf('w', 'n')} as id from generate_series(${first}, ${last}) n`,
    )
    return rows.map(({ id }) => id)
  }
  const { rows: own } = await sql.query<{ id: string }>(
    `select ${idOf('f', 'b')} as id from generate_series(1, ${batches}, ${workspaces}) b`,
  )
  const families = own.map(({ id }) => id)
  const [oneWorkspace, twenty] = [await ids(1, 1), await ids(2, 21)]
  const gone = await spent(sql, () =>
    sql.query(`delete from ${table} where ${made.gone}`, [oneWorkspace, families]),
  )
  tell('delete_workspace', gone.cpuMs, 'ms of processor', { walMB: round(gone.wal / 1e6) })
  if (made.update !== undefined) {
    const text = made.update.replaceAll('{t}', table)
    const changed = await spent(sql, () => sql.query(text, [twenty]))
    tell('update', changed.cpuMs, 'ms of processor', { walMB: round(changed.wal / 1e6), workspaces: 20 })
  }
  await sql.query('select pg_stat_force_next_flush()')
  const vacuums = await spent(sql, () => vacuumWhatChanged(sql, table))
  tell('vacuum', vacuums.cpuMs, 'ms of processor', { walMB: round(vacuums.wal / 1e6) })
}

/** Autovacuum looks at each partition; those that have dead rows are its work here, however few they are. */
async function vacuumWhatChanged(sql: pg.Client, table: string): Promise<void> {
  const [schema, name] = table.split('.')
  const { rows } = await sql.query<{ name: string }>(
    'select relname as name from pg_stat_user_tables where schemaname = $1 and relname like $2 and n_dead_tup > 0',
    [schema, `${name}%`],
  )
  for (const part of rows) await sql.query(`vacuum (index_cleanup on) ${schema}.${part.name}`)
}

type Spent = { cpuMs: number; wal: number }

/** Of the session's process on the server; Linux only, zero elsewhere. */
async function spent(sql: pg.Client, work: () => Promise<unknown>): Promise<Spent> {
  const look = async () => {
    const { rows } = await sql.query<{ pid: number; wal: string }>(
      `select pg_backend_pid() as pid, pg_current_wal_insert_lsn() - '0/0' as wal`,
    )
    return { cpuMs: cpuMsOf(rows[0]?.pid ?? 0), wal: Number(rows[0]?.wal ?? 0) }
  }
  const before = await look()
  await work()
  const after = await look()
  return { cpuMs: after.cpuMs - before.cpuMs, wal: after.wal - before.wal }
}

function cpuMsOf(pid: number): number {
  if (process.platform !== 'linux') return 0
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
