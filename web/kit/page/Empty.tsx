import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './Empty.module.css'

type Props = {
  /** One sentence why nothing is here. */
  why: string
  /** The next step: words, a link or a button. */
  next?: ReactNode
}

/** Nothing to show: why, and the next step. */
export function Empty({ why, next }: Props): ReactNode {
  return (
    <div className={styles['empty']}>
      <Text>{why}</Text>
      {next === undefined ? null : <div className={styles['next']}>{next}</div>}
    </div>
  )
}
