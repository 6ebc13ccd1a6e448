import type { ClientBase } from 'pg'

export type Table = {
  name: string
  isUnlogged: boolean
  /** Storage parameters such as `fillfactor=80`, sorted. */
  options: string[]
}

export type Column = {
  table: string
  name: string
  type: string
  /** Null when it is the type's own. */
  collation: string | null
  /** Null when it is the type's own. */
  storage: string | null
  compression: string | null
  isNotNull: boolean
  identity: 'ALWAYS' | 'BY DEFAULT' | null
  /** The default, or the expression of a generated column. */
  expression: string | null
  isGenerated: boolean
}

/** Something that belongs to a table and describes itself: a constraint, an index, a trigger. */
export type Definition = { table: string; name: string; definition: string }

const inSchema = `n.nspname = current_schema()`

export async function selectTables(session: ClientBase): Promise<Table[]> {
  const { rows } = await session.query<Table>(`
    SELECT quote_ident(c.relname) AS name, c.relpersistence = 'u' AS "isUnlogged",
           ARRAY(SELECT o FROM unnest(c.reloptions) AS o ORDER BY o COLLATE "C") AS options
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE ${inSchema} AND c.relkind = 'r'
    ORDER BY c.relname COLLATE "C"`)
  return rows
}

/** In the order of the table. */
export async function selectColumns(session: ClientBase): Promise<Column[]> {
  const { rows } = await session.query<Column>(`
    SELECT quote_ident(c.relname) AS "table", quote_ident(a.attname) AS name,
           format_type(a.atttypid, a.atttypmod) AS type,
           CASE WHEN a.attcollation <> t.typcollation THEN quote_ident(l.collname) END AS collation,
           CASE WHEN a.attstorage <> t.typstorage THEN
             CASE a.attstorage WHEN 'p' THEN 'PLAIN' WHEN 'e' THEN 'EXTERNAL' WHEN 'm' THEN 'MAIN' ELSE 'EXTENDED' END
           END AS storage,
           CASE a.attcompression WHEN 'p' THEN 'pglz' WHEN 'l' THEN 'lz4' END AS compression,
           a.attnotnull AS "isNotNull",
           CASE a.attidentity WHEN 'a' THEN 'ALWAYS' WHEN 'd' THEN 'BY DEFAULT' END AS identity,
           pg_get_expr(d.adbin, d.adrelid, true) AS expression,
           a.attgenerated <> '' AS "isGenerated"
    FROM pg_attribute a
    JOIN pg_class c ON c.oid = a.attrelid
    JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_type t ON t.oid = a.atttypid
    LEFT JOIN pg_collation l ON l.oid = a.attcollation
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE ${inSchema} AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
    ORDER BY c.relname COLLATE "C", a.attnum`)
  return rows
}

/**
 * Keys first, then references, then checks. The constraints PostgreSQL 18 keeps for NOT NULL are left out: every version
 * shows NOT NULL with the column.
 */
export async function selectConstraints(session: ClientBase): Promise<Definition[]> {
  const { rows } = await session.query<Definition>(`
    SELECT quote_ident(c.relname) AS "table", quote_ident(k.conname) AS name,
           pg_get_constraintdef(k.oid, true) AS definition
    FROM pg_constraint k
    JOIN pg_class c ON c.oid = k.conrelid
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE ${inSchema} AND k.contype IN ('p', 'u', 'x', 'f', 'c')
    ORDER BY c.relname COLLATE "C", strpos('puxfc', k.contype::text), k.conname COLLATE "C"`)
  return rows
}

/** The indexes that no constraint made. */
export async function selectIndexes(session: ClientBase): Promise<Definition[]> {
  const { rows } = await session.query<Definition>(`
    SELECT quote_ident(c.relname) AS "table", quote_ident(x.relname) AS name,
           pg_get_indexdef(x.oid, 0, true) AS definition
    FROM pg_index i
    JOIN pg_class x ON x.oid = i.indexrelid
    JOIN pg_class c ON c.oid = i.indrelid
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE ${inSchema} AND c.relkind = 'r'
      AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = x.oid AND k.contype IN ('p', 'u', 'x'))
    ORDER BY c.relname COLLATE "C", x.relname COLLATE "C"`)
  return rows
}

/** Of several columns together, for the planner. */
export async function selectStatistics(session: ClientBase): Promise<Definition[]> {
  const { rows } = await session.query<Definition>(`
    SELECT quote_ident(c.relname) AS "table", quote_ident(s.stxname) AS name,
           replace(pg_get_statisticsobjdef(s.oid), ' ' || quote_ident(n.nspname) || '.', ' ') AS definition
    FROM pg_statistic_ext s
    JOIN pg_class c ON c.oid = s.stxrelid
    JOIN pg_namespace n ON n.oid = s.stxnamespace
    WHERE ${inSchema}
    ORDER BY c.relname COLLATE "C", s.stxname COLLATE "C"`)
  return rows
}

export async function selectTriggers(session: ClientBase): Promise<Definition[]> {
  const { rows } = await session.query<Definition>(`
    SELECT quote_ident(c.relname) AS "table", quote_ident(g.tgname) AS name,
           pg_get_triggerdef(g.oid, true) AS definition
    FROM pg_trigger g
    JOIN pg_class c ON c.oid = g.tgrelid
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE ${inSchema} AND NOT g.tgisinternal
    ORDER BY c.relname COLLATE "C", g.tgname COLLATE "C"`)
  return rows
}

export async function selectFunctions(session: ClientBase): Promise<string[]> {
  const { rows } = await session.query<{ definition: string }>(`
    SELECT pg_get_functiondef(p.oid) AS definition
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE ${inSchema} AND p.prokind IN ('f', 'p')
    ORDER BY p.proname COLLATE "C", pg_get_function_identity_arguments(p.oid) COLLATE "C"`)
  return rows.map((row) => row.definition)
}

/** What exists and none of the functions above returns, such as `view open_finding`. */
export async function selectUnknownObjects(session: ClientBase): Promise<string[]> {
  const { rows } = await session.query<{ name: string }>(`
    SELECT CASE c.relkind WHEN 'v' THEN 'view ' WHEN 'm' THEN 'materialized view ' WHEN 'p' THEN 'partitioned table '
             WHEN 'f' THEN 'foreign table ' WHEN 'c' THEN 'type ' ELSE 'sequence ' END || c.relname AS name
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE ${inSchema} AND (c.relkind IN ('v', 'm', 'p', 'f', 'c') OR c.relkind = 'S' AND NOT EXISTS
      (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'i'))
    UNION ALL
    SELECT 'policy or inheritance of ' || c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE ${inSchema} AND c.relkind = 'r'
      AND (c.relrowsecurity OR c.relispartition OR EXISTS (SELECT FROM pg_inherits h WHERE h.inhrelid = c.oid))
    UNION ALL
    SELECT 'type ' || t.typname FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
    WHERE ${inSchema} AND t.typtype IN ('e', 'd', 'r')
    UNION ALL
    SELECT 'aggregate ' || p.proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE ${inSchema} AND p.prokind NOT IN ('f', 'p')
    UNION ALL
    SELECT 'extension ' || e.extname FROM pg_extension e WHERE e.extname <> 'plpgsql'
    ORDER BY 1`)
  return rows.map((row) => row.name)
}
