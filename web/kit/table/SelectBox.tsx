import { Checkbox } from '@mantine/core'
import type { ReactNode } from 'react'
import { toggled, toggledAll, type Selection } from './selection.ts'
import styles from './table.module.css'

type RowBoxProps<Row> = { selection: Selection<Row>; row: Row; id: string }

/** The checkbox of a row. The keyboard selects with Space on the row itself, so a long table has one tab stop. */
export function RowBox<Row>({ selection, row, id }: RowBoxProps<Row>): ReactNode {
  const { selected, onSelect, rowName, max } = selection
  return (
    <td className={styles['selectCell']}>
      <Checkbox
        size="xs"
        tabIndex={-1}
        aria-label={`Select ${rowName(row)}`}
        checked={selected.has(id)}
        onChange={() => {
          onSelect(toggled(selected, id, max))
        }}
      />
    </td>
  )
}

type HeadBoxProps<Row> = { selection: Selection<Row>; ids: readonly string[] }

export function HeadBox<Row>({ selection, ids }: HeadBoxProps<Row>): ReactNode {
  const { selected, onSelect, max } = selection
  const isAll = ids.length > 0 && ids.every((id) => selected.has(id))
  return (
    <td className={styles['selectHead']}>
      <Checkbox
        size="xs"
        aria-label="Select all rows shown"
        checked={isAll}
        indeterminate={!isAll && selected.size > 0}
        disabled={ids.length === 0}
        onChange={() => {
          onSelect(toggledAll(selected, ids, max))
        }}
      />
    </td>
  )
}
