import type { ClientBase } from 'pg'
import {
  type Column,
  type Definition,
  selectColumns,
  selectConstraints,
  selectFunctions,
  selectIndexes,
  selectStatistics,
  selectTables,
  selectTriggers,
  selectUnknownObjects,
  type Table,
} from './schema-catalog.ts'

const heading = `-- The current schema, by name. Generated from the migrated database, never edited by hand:
-- add a migration and run \`node src/schema/write-schema.ts\`.
`

/** The parts of one table, each in its order of appearance. */
type TableParts = {
  columns: Column[]
  constraints: Definition[]
  indexes: Definition[]
  statistics: Definition[]
  triggers: Definition[]
}

/**
 * The schema of a database as SQL to read: functions, then each table with its columns, constraints, indexes, statistics and triggers.
 * The same text on every supported PostgreSQL. Throws when the schema contains a kind of object that this text does not
 * show, so that nothing escapes a comparison.
 */
export async function dumpSchema(session: ClientBase): Promise<string> {
  const unknown = await selectUnknownObjects(session)
  if (unknown.length > 0)
    throw new Error(`The schema dump does not show: ${unknown.join(', ')}. Teach it to.`)
  const functions = await selectFunctions(session)
  const tables = await selectTables(session)
  const parts = partsByTable({
    columns: await selectColumns(session),
    constraints: await selectConstraints(session),
    indexes: await selectIndexes(session),
    statistics: await selectStatistics(session),
    triggers: await selectTriggers(session),
  })
  const sections = [
    ...functions.map((definition) => `${definition.trimEnd()};\n`),
    ...tables.map((table) => renderTable(table, parts.get(table.name) ?? emptyParts())),
  ]
  return [heading, ...sections].join('\n')
}

function emptyParts(): TableParts {
  return { columns: [], constraints: [], indexes: [], statistics: [], triggers: [] }
}

function partsByTable(all: TableParts): Map<string, TableParts> {
  const tables = new Map<string, TableParts>()
  const of = (name: string) => {
    const parts = tables.get(name) ?? emptyParts()
    tables.set(name, parts)
    return parts
  }
  for (const column of all.columns) of(column.table).columns.push(column)
  for (const constraint of all.constraints) of(constraint.table).constraints.push(constraint)
  for (const index of all.indexes) of(index.table).indexes.push(index)
  for (const one of all.statistics) of(one.table).statistics.push(one)
  for (const trigger of all.triggers) of(trigger.table).triggers.push(trigger)
  return tables
}

function renderTable(table: Table, parts: TableParts): string {
  const lines = [
    ...parts.columns.map(renderColumn),
    ...parts.constraints.map(({ name, definition }) => `CONSTRAINT ${name} ${definition}`),
  ]
  const kind = table.isUnlogged ? 'UNLOGGED TABLE' : 'TABLE'
  const options = table.options.length > 0 ? ` WITH (${table.options.join(', ')})` : ''
  const rest = [...parts.indexes, ...parts.statistics, ...parts.triggers].map(
    ({ definition }) => `${definition};\n`,
  )
  return `CREATE ${kind} ${table.name} (\n${lines.map((line) => `  ${line}`).join(',\n')}\n)${options};\n${rest.join('')}`
}

function renderColumn(column: Column): string {
  const words = [column.name, column.type]
  if (column.storage !== null) words.push('STORAGE', column.storage)
  if (column.compression !== null) words.push('COMPRESSION', column.compression)
  if (column.collation !== null) words.push('COLLATE', column.collation)
  if (column.isNotNull) words.push('NOT NULL')
  if (column.identity !== null) words.push('GENERATED', column.identity, 'AS IDENTITY')
  if (column.expression !== null) {
    words.push(
      column.isGenerated
        ? `GENERATED ALWAYS AS (${column.expression}) STORED`
        : `DEFAULT ${column.expression}`,
    )
  }
  return words.join(' ')
}
