import type { Client } from 'pg'
import { MoveError } from './move-error.ts'
import { tablesWithGroups } from './named-rows.ts'
import { selectPersonColumns } from './schema.ts'
import { movedNames } from './tables.ts'

/** What a column of an arriving row becomes: SQL on the staged row `s`. */
export type Arrivals = ReadonlyMap<string, ReadonlyMap<string, string>>

/** Columns that name an actor without referring to an account; for a token they contain its id, which stays. */
const loosePersonColumns = [
  { table: 'advisory_draft', column: 'edited_by' },
  { table: 'advisory_version', column: 'published_by' },
  { table: 'incident_entry', column: 'actor_id' },
]

/**
 * Finds the account of each person by the address, or makes one without a password, under the id it had where that is free. Returns how many
 * were made. The account that is there keeps its name and its time zone.
 */
export async function bindPeople(session: Client): Promise<number> {
  await session.query(`
    CREATE TEMP TABLE bound_person ON COMMIT DROP AS
    SELECT s.id AS old, s.email, s.name, s.created_at, s.time_zone, p.id IS NULL AS is_new,
      coalesce(p.id, CASE WHEN EXISTS (SELECT FROM person x WHERE x.id = s.id) THEN gen_random_uuid() ELSE s.id END) AS new
    FROM arriving_person s LEFT JOIN person p ON lower(p.email) = lower(s.email)`)
  await session.query('CREATE UNIQUE INDEX ON bound_person (old)')
  const made = await session.query(`
    INSERT INTO person (id, email, name, created_at, time_zone)
    SELECT new, email, name, created_at, time_zone FROM bound_person WHERE is_new`)
  return made.rowCount ?? 0
}

/**
 * Finds each group of records among those of the target: the one with the record that gave it its name, else with any id of it. Where the data of the
 * target know none, a group of that name without records takes its place; returns how many those are.
 */
export async function bindGroups(session: Client): Promise<number> {
  await session.query(`
    CREATE TEMP TABLE bound_group ON COMMIT DROP AS
    SELECT s.id AS old, s.title_id, s.severity, coalesce(${groupWith('SELECT s.title_id')}, ${groupWith('SELECT unnest(s.names)')},
      (SELECT g.id FROM vulnerability_group g WHERE g.title_id = s.title_id ORDER BY g.id LIMIT 1)) AS new
    FROM arriving_vulnerability_group s`)
  await session.query('CREATE UNIQUE INDEX ON bound_group (old)')
  await session.query(`
    UPDATE bound_group SET new = nextval(pg_get_serial_sequence('vulnerability_group', 'id')), title_id = title_id
    WHERE new IS NULL`)
  const made = await session.query(`
    INSERT INTO vulnerability_group (id, title_id, summary, severity) OVERRIDING SYSTEM VALUE
    SELECT b.new, b.title_id, '', b.severity FROM bound_group b
    WHERE NOT EXISTS (SELECT FROM vulnerability_group g WHERE g.id = b.new)`)
  return made.rowCount ?? 0
}

function groupWith(names: string): string {
  return `(SELECT v.group_id FROM alias_assertion a JOIN vulnerability v ON v.id = a.vulnerability_id
    WHERE a.bridges AND a.other_id IN (${names}) ORDER BY v.group_id LIMIT 1)`
}

/** For every column that names a person or a group. */
export async function arrivalsOfNamed(session: Client): Promise<Arrivals> {
  const arrivals = new Map<string, Map<string, string>>()
  const add = (table: string, column: string, value: string) => {
    arrivals.set(table, (arrivals.get(table) ?? new Map<string, string>()).set(column, value))
  }
  for (const { table, column } of await selectPersonColumns(session))
    if (movedNames.includes(table)) add(table, column, bound('person', column))
  for (const { table, column } of loosePersonColumns)
    add(table, column, `coalesce(${bound('person', column)}, s.${column})`)
  for (const table of tablesWithGroups) add(table, 'group_id', bound('group', 'group_id'))
  return arrivals
}

function bound(kind: 'person' | 'group', column: string): string {
  return `(SELECT b.new FROM bound_${kind} b WHERE b.old = s.${column})`
}

/** Rows may name nobody and nothing that did not come with them. Throws MoveError `file_damaged`. */
export async function refuseUnbound(
  session: Client,
  { table, staged, arrivals }: { table: string; staged: string; arrivals: Arrivals },
): Promise<void> {
  for (const [column, value] of arrivals.get(table) ?? []) {
    if (!value.startsWith('(SELECT b.new')) continue
    const { rows } = await session.query<{ found: boolean }>(
      `SELECT EXISTS (SELECT FROM ${staged} s WHERE s.${column} IS NOT NULL AND ${value} IS NULL) AS found`,
    )
    if (rows[0]?.found === true)
      throw new MoveError(
        'file_damaged',
        `A row of "${table}" in the archive names a "${column}" that is not in it. Nothing was written.`,
      )
  }
}
