import { UnstyledButton } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './FilterChips.module.css'

export type FilterChoice = { id: string; label: ReactNode; pressed: boolean; onToggle: () => void }

/** Filters as toggles; those that are on are in the address. */
export function FilterChips({ label, choices }: { label: string; choices: FilterChoice[] }): ReactNode {
  return (
    <div role="group" aria-label={label} className={styles['chips']}>
      {choices.map(({ id, label: words, pressed, onToggle }) => (
        <UnstyledButton key={id} className={styles['chip']} aria-pressed={pressed} onClick={onToggle}>
          {words}
          {pressed ? <IconX size={12} aria-hidden /> : null}
        </UnstyledButton>
      ))}
    </div>
  )
}
