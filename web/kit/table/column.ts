import type { ReactNode } from 'react'

export type SortStep = { value: string; direction: 'ascending' | 'descending' }

/** One column. The first column of a table names the row; columns without a width share the rest. */
export type Column<Row> = {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  widthPx?: number
  /** The text that the column is made wide enough for, over the rows that are here; longer ones than it may be wide are cut. */
  fits?: (row: Row) => string
  /** Upper limit of that width. */
  maxPx?: number
  /** True if the cell is empty: if all loaded cells are, the column is only as wide as its header. */
  isBlank?: (row: Row) => boolean
  /** Hides the column unless this is true for a loaded row. */
  appearsFor?: (row: Row) => boolean
  /** The text wraps instead of being cut. */
  whole?: true
  /** Width on a phone, where it differs. */
  phoneWidthPx?: number
  align?: 'right'
  /** The narrowest screen that shows it; a phone shows columns without this. */
  from?: 'sm' | 'md' | 'lg' | 'xl'
  /** What a button in the cell copies; it shows on hover, and keyboard users find it in the row's detail. */
  copies?: (row: Row) => { text: string; what: string } | undefined
  /** The header is for screen readers only, such as over a column of buttons. */
  hidesHeader?: boolean
  /** The sort orders that clicking the header cycles through. */
  sorts?: SortStep[]
}

export type Sorting = { value: string; onSort: (value: string) => void }

const widestPx = 300
const widestOnPhonePx = 132
/** Width of a digit in the widest system font, and the cell's padding. */
const characterPx = 8.6
const aroundPx = 24
/** Width of the sort mark in a header. */
const sortMarkPx = 20

/** The columns with widths that fit their texts. */
export function fitted<Row>(columns: Column<Row>[], rows: readonly Row[] = []): Column<Row>[] {
  const shown = columns.filter(({ appearsFor }) => appearsFor === undefined || rows.some(appearsFor))
  return shown.map((column) => {
    const { fits, isBlank, whole, maxPx = widestPx, widthPx = 0, phoneWidthPx = widthPx } = column
    if (isBlank !== undefined && rows.length > 0 && rows.every(isBlank))
      return { ...column, widthPx: Math.min(widthPx, headWidthPx(column)) }
    if (fits === undefined) return column
    const longest = rows.reduce((max, row) => Math.max(max, fits(row).length), 0)
    const wanted = Math.ceil(longest * characterPx + aroundPx)
    return {
      ...column,
      widthPx: Math.max(widthPx, Math.min(wanted, maxPx)),
      // what takes several lines does so where there is little room
      phoneWidthPx: whole ? phoneWidthPx : Math.max(phoneWidthPx, Math.min(wanted, maxPx, widestOnPhonePx)),
    }
  })
}

function headWidthPx({ header, sorts = [] }: Pick<Column<never>, 'header' | 'sorts'>): number {
  return Math.ceil(header.length * characterPx + aroundPx + (sorts.length > 0 ? sortMarkPx : 0))
}

/** The sort order after clicking a header: its first step, or the one after the current step. */
export function nextSort(steps: readonly SortStep[], present: string): string | undefined {
  const at = steps.findIndex((step) => step.value === present)
  return steps[(at + 1) % steps.length]?.value
}

/** The row a key moves to; undefined for keys that do not move. */
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
