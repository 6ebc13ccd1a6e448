import type { ReactNode } from 'react'
import styles from './TableTools.module.css'

type Props = {
  filters?: ReactNode
  /** More filters, on a line of their own. */
  below?: ReactNode
  note?: ReactNode
}

/** Above a table: filters on the left, the count on the right, next to the rows it counts. */
export function TableTools({ filters, below, note }: Props): ReactNode {
  return (
    <>
      {below === undefined ? null : <Line left={filters} />}
      <Line left={below ?? filters} right={note} />
    </>
  )
}

function Line({ left, right }: { left: ReactNode; right?: ReactNode }): ReactNode {
  return (
    <div className={styles['tools']}>
      <div className={styles['filters']}>{left}</div>
      {right}
    </div>
  )
}
