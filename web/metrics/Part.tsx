import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Section } from '../kit/page/Section.tsx'
import type { Column } from '../kit/table/column.ts'
import { DataTable } from '../kit/table/DataTable.tsx'
import styles from './Part.module.css'

type Props<Row> = {
  /** What the chart shows, in a sentence. */
  title: string
  /** What is counted, and how. */
  about: string
  children: ReactNode
  table: { label: string; columns: Column<Row>[]; rows: Row[]; rowId: (row: Row) => string }
}

/** A chart under the sentence that it shows, with its numbers below. */
export function Part<Row>({ title, about, children, table }: Props<Row>): ReactNode {
  return (
    <div className={styles['part']}>
      <Section title={title}>
        {children}
        <Text c="dimmed" fz="xs" mt="xs">
          {about}
        </Text>
        <details className={styles['table']}>
          <summary>Show as a table</summary>
          <DataTable {...table} empty={null} />
        </details>
      </Section>
    </div>
  )
}
