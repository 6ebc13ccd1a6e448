import { Button, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './SelectionBar.module.css'

type Props = {
  label: string
  /** Number of selected rows, in words. */
  count: string
  onClear: () => void
  /** Actions on them. */
  children: ReactNode
}

/** Sticky bar below a list with selected rows. */
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
