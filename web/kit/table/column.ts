import type { ReactNode } from 'react'

export type SortStep = { value: string; direction: 'ascending' | 'descending' }

/** One column. The first one of a table names the row; the ones without a width share what is left. */
export type Column<Row> = {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  widthPx?: number
  /** The text that the column is made wide enough for, over the rows that are here; longer ones than it may be wide are cut. */
  fits?: (row: Row) => string
  /** The widest that it is made for that. */
  maxPx?: number
  /** Whether it says nothing of a row: where that is so of all that are here, it is no wider than its head. */
  isBlank?: (row: Row) => boolean
  /** It says something of few tables: shown only where it does of one of the rows that are here. */
  appearsFor?: (row: Row) => boolean
  /** Its text takes several lines rather than be cut. */
  whole?: true
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

const widestPx = 300
const widestOnPhonePx = 132
/** Of a digit in the widest of the system's fonts, and of the space beside the text. */
const characterPx = 8.6
const aroundPx = 24
/** Of the mark in a head that sorts. */
const sortMarkPx = 20

/** The columns with the widths that their texts need. */
export function fitted<Row>(columns: Column<Row>[], rows: readonly Row[] = []): Column<Row>[] {
  const shown = columns.filter(({ appearsFor }) => appearsFor === undefined || rows.some(appearsFor))
  return shown.map((column) => {
    const { fits, isBlank, whole, maxPx = widestPx, widthPx = 0, phoneWidthPx = widthPx } = column
    if (isBlank !== undefined && rows.length > 0 && rows.every(isBlank))
      return { ...column, widthPx: Math.min(widthPx, headWidthPx(column)) }
    if (fits === undefined) return column
    const longest = rows.reduce((most, row) => Math.max(most, fits(row).length), 0)
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
