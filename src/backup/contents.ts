import type { ClientBase } from 'pg'

/** What a backup says about itself, first of all. */
export type BackupHeader = {
  format: 'sbom-monitor-backup'
  formatVersion: 1
  /** ISO 8601, UTC. */
  createdAt: string
  /** The major version of the server it was taken from; it may be restored into any supported one. */
  postgresMajor: number
  /** The steps of the schema that the data fit, oldest first. */
  migrations: { name: string; sha256: string }[]
}

export type TableContents = { name: string; columns: string[]; sequences: SequenceState[] }

/** Where an identity column goes on. A bigint travels as text. */
export type SequenceState = { column: string; lastValue: string; isCalled: boolean }

/** Migrations write what they have applied themselves; when this installation was last backed up, and that checked, is nothing of its contents. */
const notContents = ['schema_migration', 'finished_backup', 'verified_backup']

/** The tables of the current schema with the columns that hold data; identifiers are quoted where they need it. */
export async function selectContents(session: ClientBase): Promise<Omit<TableContents, 'sequences'>[]> {
  const { rows } = await session.query<{ name: string; columns: string[] }>(
    `
    SELECT quote_ident(c.relname) AS name,
           array_agg(quote_ident(a.attname) ORDER BY a.attnum) FILTER (WHERE a.attgenerated = '') AS columns
    FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE n.nspname = current_schema() AND c.relkind = 'r' AND c.relname <> ALL ($1)
    GROUP BY c.relname
    ORDER BY c.relname COLLATE "C"`,
    [notContents],
  )
  return rows
}

/** The identity columns of a table and the sequences behind them. */
export async function selectSequences(
  session: ClientBase,
  table: string,
): Promise<{ column: string; sequence: string }[]> {
  const { rows } = await session.query<{ column: string; sequence: string }>(
    `
    SELECT quote_ident(a.attname) AS "column", pg_get_serial_sequence($1, a.attname) AS sequence
    FROM pg_attribute a
    WHERE a.attrelid = $1::regclass AND a.attidentity <> '' AND NOT a.attisdropped
    ORDER BY a.attnum`,
    [table],
  )
  return rows
}

/**
 * How far each sequence of a table has come. Sequences are outside of transactions: read after the snapshot was taken,
 * they are never behind its rows.
 */
export async function selectSequenceStates(session: ClientBase, table: string): Promise<SequenceState[]> {
  const states: SequenceState[] = []
  for (const { column, sequence } of await selectSequences(session, table)) {
    const { rows } = await session.query<{ lastValue: string; isCalled: boolean }>(
      `SELECT last_value::text AS "lastValue", is_called AS "isCalled" FROM ${sequence}`,
    )
    for (const row of rows) states.push({ column, ...row })
  }
  return states
}

/** How many rows the server believes there are: good enough for a progress line. */
export async function estimateRows(session: ClientBase): Promise<number> {
  const { rows } = await session.query<{ rows: number }>(`
    SELECT coalesce(sum(greatest(c.reltuples, 0)), 0)::float8 AS rows
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = current_schema() AND c.relkind = 'r'`)
  return Math.round(rows[0]?.rows ?? 0)
}
