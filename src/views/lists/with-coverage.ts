import type { Judged } from '../../contract/findings/counts.ts'
import { describeOutdated, outdatedIn } from '../../contract/sbom/data-words.ts'
import type { DataBehind } from '../../contract/sbom/result.ts'
import type { Column } from '../../formats/table-file/table-file.ts'

/** For a list of findings: how many components could be checked, and how old the data are that they were checked with. */
export type Basis = { coverage?: Judged; data: DataBehind }

/**
 * Columns of a list of findings, with how many components could be checked and by which data beside each row. `null` is the only row of an empty list: a file
 * without rows would look like an all-clear.
 */
export function withCoverage<Row>(
  columns: readonly Column<Row>[],
  { coverage, data }: Basis,
): Column<Row | null>[] {
  const outdated = outdatedIn(data).map(describeOutdated).join(' | ')
  const counts =
    coverage === undefined
      ? []
      : [
          { name: 'components covered', cell: () => coverage.covered },
          { name: 'components', cell: () => coverage.components },
        ]
  return [
    ...columns.map(({ name, cell }) => ({
      name,
      cell: (row: Row | null) => (row === null ? null : cell(row)),
    })),
    ...counts,
    { name: 'components by old data', cell: () => data.stale },
    { name: 'out of date', cell: () => outdated },
  ]
}

/** The pages or, where they have no rows, a single row `null`. */
export async function* rowsOrNone<Row>(pages: AsyncIterable<readonly Row[]>): AsyncGenerator<(Row | null)[]> {
  let isEmpty = true
  for await (const rows of pages) {
    isEmpty &&= rows.length === 0
    yield [...rows]
  }
  if (isEmpty) yield [null]
}
