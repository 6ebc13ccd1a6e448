import { VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react'
import type { CSSProperties, ReactNode } from 'react'
import { nextSort, type Column, type Sorting } from './column.ts'
import styles from './table.module.css'

type Props<Row> = {
  columns: Column<Row>[]
  sorting: Sorting | undefined
  rowIndex?: number
  /** The checkbox that selects all rows, where rows are selectable. */
  selectBox?: ReactNode
}

export function TableHead<Row>({ columns, sorting, rowIndex, selectBox }: Props<Row>): ReactNode {
  return (
    <thead className={styles['head']}>
      <tr aria-rowindex={rowIndex}>
        {selectBox}
        {columns.map((column, columnAt) => (
          <HeadCell key={column.id} column={column} sorting={sorting} isName={columnAt === 0} />
        ))}
      </tr>
    </thead>
  )
}

function HeadCell<Row>({
  column,
  sorting,
  isName,
}: {
  column: Column<Row>
  sorting: Sorting | undefined
  isName: boolean
}): ReactNode {
  const step = column.sorts?.find(({ value }) => value === sorting?.value)
  return (
    <th
      scope="col"
      className={styles['headCell']}
      data-align={column.align}
      data-from={column.from}
      data-name={isName}
      aria-sort={column.sorts === undefined ? undefined : (step?.direction ?? 'none')}
      style={widthsOf(column)}
    >
      <HeadWords column={column} sorting={sorting} direction={step?.direction} />
    </th>
  )
}

/** Widths are variables, because a phone gives the first column what the others leave. */
function widthsOf<Row>({ widthPx, phoneWidthPx = widthPx }: Column<Row>): CSSProperties {
  return {
    ...(widthPx === undefined ? {} : { '--column-width': `${widthPx}px` }),
    ...(phoneWidthPx === undefined ? {} : { '--column-phone-width': `${phoneWidthPx}px` }),
  } as CSSProperties
}

type WordsProps<Row> = {
  column: Column<Row>
  sorting: Sorting | undefined
  direction: 'ascending' | 'descending' | undefined
}

function HeadWords<Row>({ column, sorting, direction }: WordsProps<Row>): ReactNode {
  if (column.hidesHeader === true) return <VisuallyHidden>{column.header}</VisuallyHidden>
  if (column.sorts === undefined || sorting === undefined) return column.header
  const next = nextSort(column.sorts, sorting.value)
  return (
    <button
      type="button"
      className={styles['sort']}
      data-sorted={direction !== undefined}
      onClick={() => {
        if (next !== undefined) sorting.onSort(next)
      }}
    >
      {column.header}
      <SortIcon direction={direction} />
    </button>
  )
}

function SortIcon({ direction }: { direction: 'ascending' | 'descending' | undefined }): ReactNode {
  if (direction === undefined) return <IconArrowsSort size={13} aria-hidden />
  return direction === 'ascending' ? (
    <IconArrowUp size={13} aria-hidden />
  ) : (
    <IconArrowDown size={13} aria-hidden />
  )
}
