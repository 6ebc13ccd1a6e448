import type { ReactNode } from 'react'

export type SortStep = { value: string; direction: 'ascending' | 'descending' }

/** One column. The first one of a table names the row; the ones without a width share what is left. */
export type Column<Row> = {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  widthPx?: number
  /** On a phone, where it differs. */
  phoneWidthPx?: number
  align?: 'right'
  /** The narrowest screen that shows it; a phone shows the ones without. */
  from?: 'sm' | 'md' | 'lg' | 'xl'
  /** What a button in the cell copies; it shows when the pointer is on the row, and the row's detail has it for the keyboard. */
  copies?: (row: Row) => { text: string; what: string } | undefined
  /** The header is only for those who cannot see the column, such as a column of buttons. */
  hidesHeader?: boolean
  /** What pressing the header asks the server for, in turn. */
  sorts?: SortStep[]
}

export type Sorting = { value: string; onSort: (value: string) => void }

/** The sort that pressing a header leads to: its first step, or the one after the present step. */
export function nextSort(steps: readonly SortStep[], present: string): string | undefined {
  const at = steps.findIndex((step) => step.value === present)
  return steps[(at + 1) % steps.length]?.value
}

/** The row that a key leads to; undefined for keys that do not move. */
export function rowAfterKey(key: string, row: number, rows: number): number | undefined {
  if (rows === 0) return undefined
  switch (key) {
    case 'ArrowDown':
      return Math.min(row + 1, rows - 1)
    case 'ArrowUp':
      return Math.max(row - 1, 0)
    case 'Home':
      return 0
    case 'End':
      return rows - 1
    default:
      return undefined
  }
}
