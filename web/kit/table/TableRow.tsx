import { Link, type LinkOptions } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { CopyIcon } from '../text/CopyText.tsx'
import { Foreign } from '../text/Foreign.tsx'
import type { Column } from './column.ts'
import styles from './table.module.css'

export type RowProps<Row> = {
  row: Row
  columns: Column<Row>[]
  /** Position in the table, from 0. */
  at: number
  /** Target of the row; its first cell becomes the link. */
  link: LinkOptions | undefined
  /** Only one row of a table is in the tab order; arrow keys move between rows. */
  isTabStop: boolean
  isOpen: boolean
  rowIndex?: number
  /** Measures the row height, in virtual tables. */
  measure?: (row: HTMLElement | null) => void
  /** The checkbox of the row, where rows are selectable. */
  selectBox?: ReactNode
}

export function TableRow<Row>({
  row,
  columns,
  at,
  link,
  isTabStop,
  isOpen,
  rowIndex,
  measure,
  selectBox,
}: RowProps<Row>): ReactNode {
  return (
    <tr
      className={styles['row']}
      ref={measure}
      data-row={at}
      data-index={at}
      data-open={isOpen}
      data-leads={link !== undefined}
      aria-rowindex={rowIndex}
      onClick={link === undefined ? undefined : followRow}
    >
      {selectBox}
      {columns.map((column, columnAt) => {
        const content = shown(column.cell(row))
        const isName = columnAt === 0
        const inner = isName ? rowName(link, isTabStop, content) : content
        const Cell = isName ? 'th' : 'td'
        return (
          <Cell
            key={column.id}
            className={styles['cell']}
            data-align={column.align}
            data-from={column.from}
            data-name={isName}
            data-fits={column.whole === true}
            {...(isName ? { scope: 'row' } : {})}
          >
            {withCopy(inner, column.copies?.(row))}
          </Cell>
        )
      })}
    </tr>
  )
}

/** A text cell may come from a file. */
function shown(content: ReactNode): ReactNode {
  return typeof content === 'string' ? <Foreign>{content}</Foreign> : content
}

function rowName(link: LinkOptions | undefined, isTabStop: boolean, content: ReactNode): ReactNode {
  if (link === undefined) return <span className={styles['rowName']}>{content}</span>
  return (
    <Link
      {...link}
      activeOptions={{ exact: true }}
      className={styles['rowLink']}
      data-row-link
      tabIndex={isTabStop ? 0 : -1}
    >
      {content}
    </Link>
  )
}

function withCopy(content: ReactNode, copied: { text: string; what: string } | undefined): ReactNode {
  if (copied === undefined) return content
  return (
    <span className={styles['copied']}>
      {content}
      <span className={styles['copy']}>
        <CopyIcon {...copied} tabIndex={-1} />
      </span>
    </span>
  )
}

/** A click anywhere on the row follows its link, unless it hit a control or selected text. */
function followRow(event: MouseEvent<HTMLTableRowElement>): void {
  if (event.target instanceof Element && event.target.closest('a, button, input, label') !== null) return
  if (window.getSelection()?.isCollapsed === false) return
  const { ctrlKey, metaKey, shiftKey } = event
  event.currentTarget
    .querySelector('[data-row-link]')
    ?.dispatchEvent(
      new window.MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }),
    )
}
