import type { Judged } from '../../../contract/findings/counts.ts'
import type { Column } from '../../../platform/table-file/table-file.ts'

/**
 * Columns of a list of findings with how many components could be checked beside each row. `null` is the one row of a list that has none: a
 * file without rows would read as an all-clear.
 */
export function withCoverage<Row>(
  columns: readonly Column<Row>[],
  { covered, components }: Judged,
): Column<Row | null>[] {
  return [
    ...columns.map(({ name, cell }) => ({
      name,
      cell: (row: Row | null) => (row === null ? null : cell(row)),
    })),
    { name: 'components covered', cell: () => covered },
    { name: 'components', cell: () => components },
  ]
}

/** The pages, or where they have no row at all, one that is `null`. */
export async function* rowsOrNone<Row>(pages: AsyncIterable<readonly Row[]>): AsyncGenerator<(Row | null)[]> {
  let isEmpty = true
  for await (const rows of pages) {
    isEmpty &&= rows.length === 0
    yield [...rows]
  }
  if (isEmpty) yield [null]
}
