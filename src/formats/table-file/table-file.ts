import { byteOrderMark, csvLine, type Cell } from './csv.ts'

export type Column<Row> = { name: string; cell: (row: Row) => Cell }

/** Rows as they are read, some hundreds at a time, so that a file of any length takes little memory. */
export type RowPages<Row> = AsyncIterable<readonly Row[]>

/** Rows as CSV: a line of names, then a line for each row. The next rows are read once the last ones are taken. */
export async function* csvFile<Row>(
  columns: readonly Column<Row>[],
  pages: RowPages<Row>,
): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(columns.map(({ name }) => name))
  for await (const rows of pages) {
    yield rows.map((row) => csvLine(columns.map(({ cell }) => cell(row)))).join('')
  }
}

/** Rows as one JSON object: the members of `about`, then `rows`. */
export async function* jsonFile<Row>(
  about: Readonly<Record<string, unknown>>,
  pages: RowPages<Row>,
): AsyncGenerator<string> {
  const members = Object.entries(about).map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  )
  yield `{${[...members, '"rows":['].join(',')}`
  let separator = '\n'
  for await (const rows of pages) {
    if (rows.length === 0) continue
    yield separator + rows.map((row) => JSON.stringify(row)).join(',\n')
    separator = ',\n'
  }
  yield '\n]}\n'
}
