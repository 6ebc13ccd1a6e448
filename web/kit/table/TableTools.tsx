import type { ReactNode } from 'react'
import styles from './TableTools.module.css'

/** Above a table: filters on the left, the count on the right. */
export function TableTools({ filters, note }: { filters?: ReactNode; note?: ReactNode }): ReactNode {
  return (
    <div className={styles['tools']}>
      <div className={styles['filters']}>{filters}</div>
      {note}
    </div>
  )
}
