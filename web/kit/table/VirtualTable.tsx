import type { LinkOptions } from '@tanstack/react-router'
import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, type ReactNode, type RefObject } from 'react'
import { fitted, type Column, type Sorting } from './column.ts'
import { HeadBox, RowBox } from './SelectBox.tsx'
import { selectBySpace } from './select-by-space.ts'
import type { Selection } from './selection.ts'
import { SkeletonRows } from './SkeletonRows.tsx'
import { TableHead } from './TableHead.tsx'
import { TableRow } from './TableRow.tsx'
import { useRowFocus } from './use-row-focus.ts'
import styles from './table.module.css'

type Props<Row> = {
  label: string
  columns: Column<Row>[]
  /** The rows loaded so far; undefined before the first answer. */
  rows: Row[] | undefined
  /** Number of rows on the server, loaded or not. */
  total: number
  rowId: (row: Row) => string
  rowLink?: (row: Row) => LinkOptions
  openRow?: string | undefined
  sorting?: Sorting
  empty: ReactNode
  /** Loads more rows; undefined if everything is loaded or loading. */
  onMore: (() => void) | undefined
  /** Makes rows selectable for an act on many. */
  selection?: Selection<Row>
}

const rowHeightPx = 36
const rowsAhead = 40
const firstRows = 12

/** A real table in a scrolling region that renders only the visible rows: fifty thousand components scroll like fifty. */
export function VirtualTable<Row>(props: Props<Row>): ReactNode {
  const { label, rows, total, sorting, empty, selection, rowId } = props
  const columns = useMemo(() => fitted(props.columns, rows), [props.columns, rows])
  const region = useRef<HTMLDivElement>(null)
  const { beforePx, afterPx, onFocus, onKeyDown, ...shown } = useRowsInSight(props, region)

  return (
    <div
      className={styles['region']}
      ref={region}
      role="region"
      aria-label={`${label}, scrolls`}
      tabIndex={0}
    >
      <table
        className={styles['table']}
        aria-label={label}
        aria-rowcount={total + 1}
        aria-busy={rows === undefined}
      >
        <TableHead
          columns={columns}
          sorting={sorting}
          rowIndex={1}
          selectBox={
            selection === undefined ? null : <HeadBox selection={selection} ids={rows?.map(rowId) ?? []} />
          }
        />
        <tbody
          onFocus={onFocus}
          onKeyDown={(event) => {
            onKeyDown(event, shown.tabStop)
            selectBySpace(event, props)
          }}
        >
          <Spacer heightPx={beforePx} />
          <ShownRows {...props} {...shown} columns={columns} />
          <Spacer heightPx={afterPx} />
          <RestOfTable {...props} columns={columns} />
        </tbody>
      </table>
      {rows?.length === 0 ? empty : null}
    </div>
  )
}

/** Which rows to render and which of them Tab reaches; loads more rows before the last one is visible. */
function useRowsInSight<Row>(
  { rows, onMore }: Pick<Props<Row>, 'rows' | 'onMore'>,
  region: RefObject<HTMLDivElement | null>,
) {
  const loaded = rows?.length ?? 0
  // oxlint-disable-next-line react/incompatible-library -- the virtualiser redraws by itself; nothing here is memoised
  const virtual = useVirtualizer({
    count: loaded,
    getScrollElement: () => region.current,
    estimateSize: () => rowHeightPx,
    overscan: 12,
    scrollPaddingStart: rowHeightPx,
  })
  const { from, to, beforePx, afterPx } = shownPart(virtual.getVirtualItems(), virtual.getTotalSize())
  const { active, onFocus, onKeyDown } = useRowFocus({
    region,
    rows: loaded,
    scrollTo: (row) => virtual.scrollToIndex(row),
  })

  const isNearEnd = loaded > 0 && to >= loaded - rowsAhead
  useEffect(() => {
    if (isNearEnd) onMore?.()
  }, [isNearEnd, onMore])

  return {
    from,
    to,
    beforePx,
    afterPx,
    onFocus,
    onKeyDown,
    tabStop: Math.min(Math.max(active, from), Math.max(from, to - 1)),
    measure: virtual.measureElement,
  }
}

/** The rendered rows, and the heights above and below them. */
function shownPart(items: VirtualItem[], totalPx: number) {
  const first = items[0]
  const last = items.at(-1)
  if (first === undefined || last === undefined) return { from: 0, to: 0, beforePx: 0, afterPx: totalPx }
  return {
    from: first.index,
    to: last.index + 1,
    beforePx: first.start,
    afterPx: totalPx - last.end,
  }
}

type ShownProps<Row> = Props<Row> & {
  from: number
  to: number
  tabStop: number
  measure: (row: HTMLElement | null) => void
}

function ShownRows<Row>({
  rows = [],
  columns,
  rowId,
  rowLink,
  openRow,
  selection,
  from,
  to,
  tabStop,
  measure,
}: ShownProps<Row>): ReactNode {
  return rows.slice(from, to).map((row, offset) => {
    const at = from + offset
    return (
      <TableRow
        key={rowId(row)}
        row={row}
        columns={columns}
        at={at}
        link={rowLink?.(row)}
        isTabStop={at === tabStop}
        isOpen={openRow === rowId(row)}
        rowIndex={at + 2}
        measure={measure}
        selectBox={
          selection === undefined ? null : <RowBox selection={selection} row={row} id={rowId(row)} />
        }
      />
    )
  })
}

/** Skeleton rows below the loaded ones. */
function RestOfTable<Row>({ rows, columns, total, selection }: Props<Row>): ReactNode {
  const selects = selection !== undefined
  if (rows === undefined) return <SkeletonRows columns={columns} rows={firstRows} selects={selects} />
  return rows.length < total ? <SkeletonRows columns={columns} rows={2} selects={selects} /> : null
}

/** Takes the height of the rows not rendered. A single cell: a phone hides columns, and spanning them would widen the table. */
function Spacer({ heightPx }: { heightPx: number }): ReactNode {
  if (heightPx <= 0) return null
  return (
    <tr aria-hidden>
      <td style={{ height: heightPx, padding: 0 }} />
    </tr>
  )
}
