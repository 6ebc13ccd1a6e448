import type { ReactNode } from 'react'
import type { Column } from '../table/column.ts'
import { DataTable } from '../table/DataTable.tsx'
import styles from './ChartTable.module.css'

export type ChartNumbers<Row> = {
  label: string
  columns: Column<Row>[]
  rows: Row[]
  rowId: (row: Row) => string
}

/** The numbers of a chart, on request. */
export function ChartTable<Row>(numbers: ChartNumbers<Row>): ReactNode {
  return (
    <details className={styles['table']}>
      <summary>Show as a table</summary>
      <DataTable {...numbers} empty={null} />
    </details>
  )
}
