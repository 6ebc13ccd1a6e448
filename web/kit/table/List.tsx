import { Box } from '@mantine/core'
import type { LinkOptions } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { MoreButton } from '../actions/MoreButton.tsx'
import type { Listed } from '../api/listed.ts'
import { isMissing } from '../page/Loaded.tsx'
import { Problem } from '../page/Problem.tsx'
import type { Column, Sorting } from './column.ts'
import { DataTable } from './DataTable.tsx'
import { distinctRows } from './distinct-rows.ts'
import type { Selection } from './selection.ts'
import { TableNote, type Counted } from './TableNote.tsx'
import { TableTools } from './TableTools.tsx'
import { VirtualTable } from './VirtualTable.tsx'

export type ListProps<Row> = {
  /** From `listedRows` or `wholeList`. */
  list: Listed<Row>
  /** Accessible name of the table. */
  label: string
  /** What is counted, and the number where it is not `total`. */
  note: Counted
  /** Filters. */
  filters?: ReactNode
  /** More filters, on a line of their own. */
  below?: ReactNode
  /** A change scrolls to the top. */
  tableKey?: string
  columns: Column<Row>[]
  rowId: (row: Row) => string
  rowLink?: (row: Row) => LinkOptions
  /** The row whose detail is open beside the table. */
  openRow?: string | undefined
  sorting?: Sorting
  selection?: Selection<Row>
  /** Shown instead of rows when there are none. */
  empty: ReactNode
  /** Scrolls in a region of its own and loads more by itself; other lists have a button. */
  scrolls?: boolean
  /** The words of the button. */
  more?: string
}

/** A list with its filters, its count, and its error. */
export function List<Row>(props: ListProps<Row>): ReactNode {
  const { list, note, filters, below, scrolls = false, more = 'Show more', tableKey, ...table } = props
  const { total, error, updatedAtMs, onMore, isReadingMore, onRetry } = list
  const rows = distinctRows(list.rows, table.rowId)
  return (
    <>
      <TableTools
        filters={filters}
        below={below}
        note={<TableNote count={total} {...note} updatedAtMs={updatedAtMs} />}
      />
      {error === null ? null : (
        <Box mb="sm">
          <Problem error={error} onRetry={onRetry} />
        </Box>
      )}
      {isMissing({ error, data: rows }) ? null : scrolls ? (
        <VirtualTable
          key={tableKey}
          {...table}
          rows={rows}
          total={Math.max(total ?? 0, rows?.length ?? 0)}
          onMore={onMore}
        />
      ) : (
        <DataTable {...table} rows={rows} />
      )}
      {scrolls ? null : (
        <MoreButton onMore={onMore} isLoading={isReadingMore}>
          {more}
        </MoreButton>
      )}
    </>
  )
}
