import type { LinkOptions } from '@tanstack/react-router'
import { useState, type KeyboardEvent, type ReactNode } from 'react'
import { fitted, rowAfterKey, type Column, type Sorting } from './column.ts'
import { HeadBox, RowBox } from './SelectBox.tsx'
import { selectBySpace } from './select-by-space.ts'
import type { Selection } from './selection.ts'
import { rowOfLink } from './row-of-link.ts'
import { SkeletonRows } from './SkeletonRows.tsx'
import { TableHead } from './TableHead.tsx'
import { TableRow } from './TableRow.tsx'
import styles from './table.module.css'

type Props<Row> = {
  /** Accessible name of the table. */
  label: string
  columns: Column<Row>[]
  /** undefined before the first answer. */
  rows: Row[] | undefined
  rowId: (row: Row) => string
  rowLink?: (row: Row) => LinkOptions | undefined
  /** The row whose detail is open beside the table. */
  openRow?: string | undefined
  sorting?: Sorting
  /** Shown instead of rows when there are none. */
  empty: ReactNode
  /** Makes rows selectable for an act on many. */
  selection?: Selection<Row> | undefined
}

const skeletonRows = 5

/** A table in the page flow, for lists of at most a few hundred rows. */
export function DataTable<Row>(props: Props<Row>): ReactNode {
  const { label, rows, rowId, rowLink, openRow, sorting, empty, selection } = props
  const columns = fitted(props.columns, rows)
  const [active, setActive] = useState(0)
  const tabStop = Math.min(active, Math.max(0, (rows?.length ?? 0) - 1))

  function onKeyDown(event: KeyboardEvent<HTMLTableSectionElement>): void {
    const next = rowAfterKey(event.key, tabStop, rows?.length ?? 0)
    const target = event.target
    if (next === undefined || !(target instanceof HTMLElement) || !target.hasAttribute('data-row-link'))
      return
    event.preventDefault()
    setActive(next)
    event.currentTarget.querySelector<HTMLElement>(`[data-row="${next}"] [data-row-link]`)?.focus()
  }

  return (
    <div className={styles['box']}>
      <table className={styles['table']} aria-label={label} aria-busy={rows === undefined}>
        <TableHead
          columns={columns}
          sorting={sorting}
          selectBox={
            selection === undefined ? null : <HeadBox selection={selection} ids={rows?.map(rowId) ?? []} />
          }
        />
        <tbody
          onFocus={({ target }) => {
            setActive(rowOfLink(target) ?? active)
          }}
          onKeyDown={(event) => {
            onKeyDown(event)
            selectBySpace(event, props)
          }}
        >
          {rows === undefined ? (
            <SkeletonRows columns={columns} rows={skeletonRows} selects={selection !== undefined} />
          ) : null}
          {rows?.map((row, at) => (
            <TableRow
              key={rowId(row)}
              row={row}
              columns={columns}
              at={at}
              link={rowLink?.(row)}
              isTabStop={at === tabStop}
              isOpen={openRow === rowId(row)}
              selectBox={
                selection === undefined ? null : <RowBox selection={selection} row={row} id={rowId(row)} />
              }
            />
          ))}
        </tbody>
      </table>
      {rows?.length === 0 ? empty : null}
    </div>
  )
}
