import { Button, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './SelectionBar.module.css'

type Props = {
  label: string
  /** How many rows are chosen, in words. */
  count: string
  onClear: () => void
  /** What can be done with them. */
  children: ReactNode
}

/** Below a list with chosen rows; it stays in sight. */
export function SelectionBar({ label, count, onClear, children }: Props): ReactNode {
  return (
    <section className={styles['bar']} aria-label={label}>
      <Text fw={500} role="status">
        {count}
      </Text>
      {children}
      <Button size="xs" variant="subtle" color="gray" onClick={onClear}>
        Clear
      </Button>
    </section>
  )
}
