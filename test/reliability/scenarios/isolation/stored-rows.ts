import { sql } from 'kysely'
import type { Db } from '../../../../src/database/connection.ts'

/** For every table with rows about somebody: their number and a digest. */
export type StoredRows = ReadonlyMap<string, string>

/** The tables with rows, as they are now: a table without a page has none. */
async function selectTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and relkind = 'r' and pg_relation_size(c.oid) > 0 order by 1`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}

/**
 * Every row that mentions a workspace or something of it. Rows that do not name the workspace itself are counted separately, as
 * `elsewhere`: a row of another workspace that refers to this one is such a row.
 */
export async function readStoredRows(
  db: Db,
  workspaceId: string,
  mentioned: readonly string[] = [],
): Promise<StoredRows> {
  const patterns = [workspaceId, ...mentioned].map((text) => `%${text}%`)
  const each = (await selectTables(db)).map(
    (name) => sql`
      select ${name}::text || case when is_own then '' else ' elsewhere' end as name,
        count(*) || ' ' || md5(string_agg(md5(line), '' order by md5(line))) as digest
      from (select t::text as line, t::text like ${patterns[0]} as is_own from ${sql.table(name)} t) as lines
      where line like any (${patterns}) group by is_own`,
  )
  const { rows } = await sql<{ name: string; digest: string }>`${sql.join(each, sql` union all `)}`.execute(
    db,
  )
  return new Map(rows.map(({ name, digest }) => [name, digest]))
}

/** Names of the tables that differ. */
export function changedTables(before: StoredRows, after: StoredRows): string[] {
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names].filter((name) => before.get(name) !== after.get(name)).sort()
}

/** Every id in a workspace's rows: each would be a leak in an answer to somebody else. */
export async function selectIds(db: Db, workspaceId: string): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = current_schema() and column_name in ('id', 'workspace_id') and data_type = 'uuid'
    group by 1 having count(*) = 2`.execute(db)
  const each = tables.map(
    ({ name }) => sql`select id::text as id from ${sql.table(name)} where workspace_id = ${workspaceId}`,
  )
  const { rows } = await sql<{ id: string }>`${sql.join(each, sql` union all `)}`.execute(db)
  return [workspaceId, ...rows.map(({ id }) => id)]
}
