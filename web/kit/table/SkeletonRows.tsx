import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Column } from './column.ts'
import styles from './table.module.css'

const barWidths = ['70%', '45%', '60%', '52%']

type Props<Row> = { columns: Column<Row>[]; rows: number; selects?: boolean }

/** Skeleton rows of the real height, so that nothing jumps when the answer arrives. */
export function SkeletonRows<Row>({ columns, rows, selects = false }: Props<Row>): ReactNode {
  return Array.from({ length: rows }, (_, at) => (
    <tr key={at} className={styles['row']} aria-hidden>
      {selects ? <td className={styles['selectCell']} /> : null}
      {columns.map((column, columnAt) => (
        <td key={column.id} className={styles['cell']} data-align={column.align} data-from={column.from}>
          <Skeleton
            height={10}
            width={barWidths[(at + columnAt) % barWidths.length]}
            style={{ display: 'inline-block' }}
          />
        </td>
      ))}
    </tr>
  ))
}
