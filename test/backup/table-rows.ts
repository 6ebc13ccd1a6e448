import type { Pool } from 'pg'

/** Every table in a backup, with a digest of its rows in any order: equal for two databases exactly when their rows are. */
export async function digestTables(
  pool: Pool,
): Promise<Record<string, { rows: number; digest: string | null }>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT quote_ident(relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = current_schema() AND relkind = 'r' AND relname NOT IN ('schema_migration', 'finished_backup', 'verified_backup') ORDER BY 1`,
  )
  const digests: Record<string, { rows: number; digest: string | null }> = {}
  for (const { name } of tables) {
    const { rows } = await pool.query<{ rows: number; digest: string | null }>(
      `SELECT count(*)::int AS rows, md5(string_agg(md5(t::text), '' ORDER BY md5(t::text))) AS digest FROM ${name} t`,
    )
    const [row] = rows
    if (row !== undefined) digests[name] = row
  }
  return digests
}
