import { setTimeout } from 'node:timers/promises'
import pg, { type PoolConfig } from 'pg'

/**
 * Everything a test could change besides rows: tables, columns, constraints, indexes, triggers, functions, settings. By OID, which every
 * copy shares with the template: looking up names would take five times as long.
 */
const shapeOfSchema = `
  select md5(string_agg(part, ',' order by part)) as shape from (
    select concat_ws(' ', oid, relname, relkind, relowner, reloptions, relrowsecurity) from pg_class
      where relnamespace = 'public'::regnamespace and relkind <> 't'
    union all
    select concat_ws(' ', a.attrelid, a.attname, a.atttypid, a.attnotnull, a.atthasdef, a.attidentity, a.attisdropped)
      from pg_attribute a join pg_class c on c.oid = a.attrelid and c.relnamespace = 'public'::regnamespace
      where a.attnum > 0
    union all
    select concat_ws(' ', conrelid, conname, convalidated) from pg_constraint
      where connamespace = 'public'::regnamespace
    union all
    select concat_ws(' ', tgrelid, tgname, tgenabled) from pg_trigger where not tgisinternal
    union all
    select concat_ws(' ', proname, md5(prosrc)) from pg_proc where pronamespace = 'public'::regnamespace
    union all
    select setconfig::text from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
      where d.datname = current_database()
    union all
    select concat_ws(' ', 'migrations', count(*), max(name)) from schema_migration
  ) parts (part)`

const allOthers = `
  select count(*)::int as sessions from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and pid <> all($1::int[])`

/** A pooler keeps sessions that nobody uses. The next test gets them. */
const othersThatWork = `${allOthers} and state is distinct from 'idle'`

/**
 * Tables that have had rows since the last emptying. The migrations leave only their own list. The sizes are those of the files:
 * pg_relation_size opens every table, which takes twice as long.
 */
const filledTables = `
  select c.oid, c.oid::regclass::text as name, file.size::float as bytes
  from pg_class c cross join lateral pg_stat_file(pg_relation_filepath(c.oid)) file
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname <> 'schema_migration' and file.size > 0`

/**
 * Planner statistics are removed with the rows: with the statistics of ten rows it would plan a join of a hundred thousand, and a table
 * analysed while empty is planned differently from one never analysed.
 */
const forget = `
  select setval(seqrelid::regclass, seqstart, false) from pg_sequence;
  delete from pg_statistic where starelid in (select oid from pg_class where relnamespace = 'public'::regnamespace);
  update pg_class set relpages = 0, reltuples = -1, relallvisible = 0
    where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'schema_migration' and reltuples <> -1`

/**
 * Resets the change counters since the last analyze: otherwise autovacuum could analyze again at any moment, and a table analysed while a
 * test fills it in one transaction has pages and no rows, which makes every index look equally good.
 */
const forgetChanges = `
  select pg_stat_reset_single_table_counters(oid) from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`

/** From this size on, the index pages kept by a vacuum would be too many: the indexes are made again. */
const muchBytes = 256 * 1024
/** From this size on, deleting takes longer than truncating. */
const tooManyBytes = 2 * 1024 * 1024

export async function schemaOf(connection: PoolConfig): Promise<string> {
  return withSession(connection, readShape)
}

type Emptying = {
  schema: string
  /** Sessions that may stay: they are idle. Behind a pooler every idle one may. */
  own: readonly number[]
  isPooled: boolean
}

/**
 * Empties a database to the state after the migrations. False if its state is then uncertain: somebody else is still connected, a test changed
 * more than rows, or the role is no superuser, who alone can disable triggers.
 */
export async function emptyDatabase(
  connection: PoolConfig,
  { schema, own, isPooled }: Emptying,
): Promise<boolean> {
  return withSession(connection, async (session) => {
    const rule = isPooled ? { own: [], others: othersThatWork } : { own, others: allOthers }
    const isAlone = await waitUntilAlone(session, rule)
    if (!isAlone || !(await isSuperuser(session)) || (await readShape(session)) !== schema) return false
    // The audit trail's trigger refuses deletes unless triggers are disabled.
    await session.query('set session_replication_role = replica')
    const filled = await readFilled(session)
    const bytes = filled.reduce((sum, table) => sum + table.bytes, 0)
    if (bytes <= tooManyBytes) await vacuumAway(session, filled)
    await truncate(session, await stillFilled(session, filled))
    await session.query(`${forget}; select pg_stat_force_next_flush()`)
    await session.query(forgetChanges)
    return true
  })
}

type Filled = { oid: number; name: string; bytes: number }

async function readFilled(session: pg.Client): Promise<Filled[]> {
  return (await session.query<Filled>(filledTables)).rows
}

/** Those that a vacuum could not free, or was not asked to. */
async function stillFilled(session: pg.Client, filled: readonly Filled[]): Promise<Filled[]> {
  return (await session.query<Filled>(`${filledTables} and c.oid = any($1)`, [filled.map(({ oid }) => oid)]))
    .rows
}

/**
 * Deletes the rows and frees their pages: the next rows are placed as in a new copy, in the same order. Truncating a few tables takes ten
 * times as long: all tables that refer to them, and their indexes, get new files.
 */
async function vacuumAway(session: pg.Client, filled: readonly Filled[]): Promise<void> {
  if (filled.length === 0) return
  await session.query(filled.map(({ name }) => `delete from ${name}`).join(';'))
  await session.query(`vacuum (index_cleanup on) ${filled.map(({ name }) => name).join(', ')}`)
  const large = filled.filter(({ bytes }) => bytes > muchBytes)
  for (const { name } of large) await session.query(`reindex table ${name}`)
}

async function truncate(session: pg.Client, filled: readonly Filled[]): Promise<void> {
  if (filled.length === 0) return
  await session.query(`truncate ${filled.map(({ name }) => name).join(', ')} cascade`)
}

/** A session that was ended remains for a moment. */
async function waitUntilAlone(
  session: pg.Client,
  { own, others }: { own: readonly number[]; others: string },
): Promise<boolean> {
  for (let asked = 0; asked < 50; asked += 1) {
    const { rows } = await session.query<{ sessions: number }>(others, [own])
    if (rows[0]?.sessions === 0) return true
    await setTimeout(20)
  }
  return false
}

async function isSuperuser(session: pg.Client): Promise<boolean> {
  const { rows } = await session.query<{ is_superuser: string }>('show is_superuser')
  return rows[0]?.is_superuser === 'on'
}

async function readShape(session: pg.Client): Promise<string> {
  const { rows } = await session.query<{ shape: string }>(shapeOfSchema)
  return rows[0]?.shape ?? ''
}

async function withSession<T>(connection: PoolConfig, use: (session: pg.Client) => Promise<T>): Promise<T> {
  const session = new pg.Client(connection)
  await session.connect()
  try {
    return await use(session)
  } finally {
    await session.end()
  }
}
