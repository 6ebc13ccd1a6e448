import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ChartTable, type ChartNumbers } from '../kit/chart/ChartTable.tsx'
import { Section } from '../kit/page/Section.tsx'
import styles from './Part.module.css'

type Props<Row> = {
  /** The chart's message in a sentence. */
  title: string
  /** What is counted, and how. */
  about: string
  children: ReactNode
  table: ChartNumbers<Row>
}

/** A chart below its message, with its numbers underneath. */
export function Part<Row>({ title, about, children, table }: Props<Row>): ReactNode {
  return (
    <div className={styles['part']}>
      <Section title={title}>
        {children}
        <Text c="dimmed" fz="xs" mt="xs">
          {about}
        </Text>
        <ChartTable {...table} />
      </Section>
    </div>
  )
}
