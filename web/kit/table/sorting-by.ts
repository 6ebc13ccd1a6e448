import type { Sorting } from './column.ts'

type Orders<Sort extends string> = {
  sorts: readonly Sort[]
  /** What the address asks for; it leaves out the usual order. */
  sort: Sort | undefined
  usual: Sort
  onSort: (sort: Sort | undefined) => void
}

/** The orders of a list that its address names. */
export function sortingBy<Sort extends string>({ sorts, sort, usual, onSort }: Orders<Sort>): Sorting {
  return {
    value: sort ?? usual,
    onSort: (chosen) => {
      const next = sorts.find((known) => known === chosen)
      onSort(next === usual ? undefined : next)
    },
  }
}
