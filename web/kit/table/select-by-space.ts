import type { KeyboardEvent } from 'react'
import { toggled, type Selection } from './selection.ts'

type Rows<Row> = {
  rows: Row[] | undefined
  rowId: (row: Row) => string
  selection?: Selection<Row> | undefined
}

/** Space on a row selects it. */
export function selectBySpace<Row>(event: KeyboardEvent, { rows, rowId, selection }: Rows<Row>): void {
  if (event.key !== ' ' || selection === undefined || !(event.target instanceof HTMLElement)) return
  if (!event.target.hasAttribute('data-row-link')) return
  const row = rows?.[Number(event.target.closest<HTMLElement>('[data-row]')?.dataset['row'])]
  if (row === undefined) return
  event.preventDefault()
  selection.onSelect(toggled(selection.selected, rowId(row), selection.max))
}
