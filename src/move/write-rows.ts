import type { Client } from 'pg'
import { MoveError } from './move-error.ts'
import { refuseUnbound, type Arrivals } from './named-rows-arrive.ts'
import type { StagedTable } from './arrive.ts'
import type { MovedTable } from './tables.ts'

type Judging = { workspaceId: string; arrivals: Arrivals }
type Writing = { arrivals: Arrivals }

/**
 * Refuses rows of another workspace than the archive's, or of a family that it does not have: they would be written into somebody else's data.
 * Throws MoveError `file_damaged`.
 */
export async function refuseStrangers(
  session: Client,
  { name, columns }: StagedTable,
  { workspaceId, arrivals }: Judging,
): Promise<void> {
  const own = `SELECT id FROM family WHERE workspace_id = $1 UNION ALL SELECT id FROM arriving_family`
  const strange = [
    ...(columns.includes('workspace_id') ? ['s.workspace_id IS DISTINCT FROM $1'] : []),
    ...(columns.includes('family_id') && name !== 'family'
      ? [`(s.family_id IS NOT NULL AND s.family_id NOT IN (${own}))`]
      : []),
    ...(name === 'workspace' ? ['s.id <> $1'] : []),
    ...(name === 'token_use' ? ['s.token_id NOT IN (SELECT id FROM token WHERE workspace_id = $1)'] : []),
    ...(name === 'expiry_notice'
      ? ['(s.object_id <> $1 AND s.object_id NOT IN (SELECT id FROM token WHERE workspace_id = $1))']
      : []),
    ...(columns.includes('chain') ? ['s.chain <> $1'] : []),
  ]
  if (strange.length > 0) {
    const { rows } = await session.query<{ found: boolean }>(
      `SELECT EXISTS (SELECT FROM arriving_${name} s WHERE ${strange.join(' OR ')}) AS found`,
      [workspaceId],
    )
    if (rows[0]?.found === true)
      throw new MoveError(
        'file_damaged',
        `A row of "${name}" in the archive belongs to something other than the workspace. Nothing was written.`,
      )
  }
  await refuseUnbound(session, { table: name, staged: `arriving_${name}`, arrivals })
}

/** Writes the rows of tables that arrived, by one statement. Returns how many of each. */
export async function writeRows(
  session: Client,
  tables: readonly { moved: MovedTable; staged: StagedTable }[],
  writing: Writing,
): Promise<Map<string, number>> {
  const parts = tables.map(
    ({ moved, staged }, place) => `w${place} AS (${insertOf(moved, staged, writing)} RETURNING 1)`,
  )
  const counts = tables.map(({ moved }, place) => `(SELECT count(*)::int FROM w${place}) AS ${moved.name}`)
  const { rows } = await session.query<Record<string, number>>(
    `WITH ${parts.join(', ')} SELECT ${counts.join(', ')}`,
  )
  return new Map(Object.entries(rows[0] ?? {}))
}

function insertOf(
  { name, arrives = {}, renumbered, merged }: MovedTable,
  { columns }: StagedTable,
  writing: Writing,
): string {
  const written = columns.filter((column) => column !== renumbered)
  const named = writing.arrivals.get(name)
  const valueOf = (column: string) => arrives[column] ?? named?.get(column) ?? `s.${column}`
  const values = written.map((column) => `${valueOf(column)} AS ${column}`).join(', ')
  const order = renumbered === undefined ? '' : ` ORDER BY s.${renumbered}`
  const rows = `SELECT ${values} FROM arriving_${name} s${order}`
  const distinct = merged === undefined ? rows : oneOfEach(rows, { merged, written })
  return `INSERT INTO ${name} (${written.join(', ')}) OVERRIDING SYSTEM VALUE ${distinct}`
}

function oneOfEach(
  rows: string,
  { merged, written }: { merged: NonNullable<MovedTable['merged']>; written: readonly string[] },
): string {
  const { order, least = [] } = merged
  const key = merged.key.join(', ')
  const values = written.map((column) =>
    least.includes(column) ? `min(${column}) OVER (PARTITION BY ${key}) AS ${column}` : column,
  )
  return `SELECT DISTINCT ON (${key}) ${values.join(', ')} FROM (${rows}) m ORDER BY ${key}, ${order}`
}

/**
 * Has the server count rows that this transaction has written. It counts by itself only what is committed: a worker of autovacuum that came by meanwhile
 * has seen the pages and no row, and what is read next would be planned for a table without any, by whichever index.
 */
export async function countForPlanner(session: Client, tables: readonly string[]): Promise<void> {
  if (tables.length > 0) await session.query(`ANALYZE ${tables.join(', ')}`)
}

/**
 * What the server refuses about rows, as MoveError; any other error passes unchanged. Classes 22 and 23 of
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function inWords(error: unknown): unknown {
  const { code, table, constraint } = error as { code?: string; table?: string; constraint?: string }
  if (code === '23505')
    return new MoveError(
      'conflict',
      `This installation holds rows of the workspace already ("${String(table)}", ${String(constraint)}). Nothing was written.`,
      { cause: error },
    )
  if (code?.startsWith('22') === true)
    return new MoveError('file_damaged', 'Rows of the archive cannot be read. Nothing was written.', {
      cause: error,
    })
  if (code?.startsWith('23') === true)
    return new MoveError(
      'file_damaged',
      `Rows of the archive do not fit together ("${String(table)}", ${String(constraint)}). Nothing was written.`,
      { cause: error },
    )
  return error
}
