import type { Sorting } from './column.ts'

type Orders<Sort extends string> = {
  sorts: readonly Sort[]
  /** The order in the address; the default order is left out. */
  sort: Sort | undefined
  usual: Sort
  onSort: (sort: Sort | undefined) => void
}

/** The sort orders of a list, and their names in the address. */
export function sortingBy<Sort extends string>({ sorts, sort, usual, onSort }: Orders<Sort>): Sorting {
  return {
    value: sort ?? usual,
    onSort: (chosen) => {
      const next = sorts.find((known) => known === chosen)
      onSort(next === usual ? undefined : next)
    },
  }
}
