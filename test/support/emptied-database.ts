import { setTimeout } from 'node:timers/promises'
import pg, { type PoolConfig } from 'pg'

/**
 * Everything that a test could have changed beside rows: tables, columns, constraints, indexes, triggers, functions, settings. By their
 * numbers, which are those of the template in every copy of it: to look up their names would take five times as long.
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

const others = `
  select count(*)::int as sessions from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`

/** What has ever had a row since it was emptied. What the migrations leave is the list of themselves alone. */
const filledTables = `
  select oid::regclass::text as name, pg_relation_size(oid)::float as bytes from pg_class
  where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'schema_migration' and pg_relation_size(oid) > 0`

/**
 * What the planner remembers of the rows goes with them: by the statistics of ten rows it would plan a join of a hundred thousand, and a
 * table that was found empty is planned for otherwise than one that was never looked at.
 */
const forget = `
  select setval(seqrelid::regclass, seqstart, false) from pg_sequence;
  delete from pg_statistic where starelid in (select oid from pg_class where relnamespace = 'public'::regnamespace);
  update pg_class set relpages = 0, reltuples = -1, relallvisible = 0
    where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'schema_migration' and reltuples <> -1`

/**
 * Nothing has been changed since the tables were counted: the server would count them again at any moment, and one that it counts while a test
 * fills it in one transaction has pages and no rows, by which every index looks as good as any other.
 */
const forgetChanges = `
  select pg_stat_reset_single_table_counters(oid) from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`

/** From here on the pages of the indexes, which a vacuum keeps, would be more than a few. */
const muchBytes = 256 * 1024

export async function schemaOf(connection: PoolConfig): Promise<string> {
  return withSession(connection, readShape)
}

/**
 * Empties a database as the migrations left it. False, and nothing is sure of it any more: somebody is still connected, a test has changed more
 * than rows, or the role is no superuser, who alone may leave triggers out.
 */
export async function emptyDatabase(connection: PoolConfig, schema: string): Promise<boolean> {
  return withSession(connection, async (session) => {
    const isAlone = await waitUntilAlone(session)
    if (!isAlone || !(await isSuperuser(session)) || (await readShape(session)) !== schema) return false
    // The audit trail's trigger forbids it to everybody who does not leave triggers out.
    await session.query('set session_replication_role = replica')
    const filled = await readFilled(session)
    if (filled.every(({ bytes }) => bytes <= muchBytes)) await vacuumAway(session, filled)
    await truncate(session, await readFilled(session))
    await session.query(`${forget}; select pg_stat_force_next_flush()`)
    await session.query(forgetChanges)
    return true
  })
}

type Filled = { name: string; bytes: number }

async function readFilled(session: pg.Client): Promise<Filled[]> {
  return (await session.query<Filled>(filledTables)).rows
}

/**
 * Deletes the rows and gives their pages back: the next rows lie where they would in a new copy, and come in the same order. To truncate a few
 * tables takes ten times as long: all that refer to them, and their indexes, get new files.
 */
async function vacuumAway(session: pg.Client, filled: readonly Filled[]): Promise<void> {
  if (filled.length === 0) return
  await session.query(filled.map(({ name }) => `delete from ${name}`).join(';'))
  await session.query(`vacuum (index_cleanup on) ${filled.map(({ name }) => name).join(', ')}`)
}

async function truncate(session: pg.Client, filled: readonly Filled[]): Promise<void> {
  if (filled.length === 0) return
  await session.query(`truncate ${filled.map(({ name }) => name).join(', ')} cascade`)
}

/** A session that was ended is there for a moment yet. */
async function waitUntilAlone(session: pg.Client): Promise<boolean> {
  for (let asked = 0; asked < 50; asked += 1) {
    const { rows } = await session.query<{ sessions: number }>(others)
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
