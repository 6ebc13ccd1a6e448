import type { TablerIcon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './Chip.module.css'

export type Tone = 'good' | 'bad' | 'pending' | 'triage' | 'warn' | 'neutral' | 'plain'

type Props = { tone: Tone; Icon: TablerIcon; children: ReactNode; title?: string; spins?: boolean }

/** A status: icon and word in the colour of its meaning. */
export function Chip({ tone, Icon, children, title, spins = false }: Props): ReactNode {
  return (
    <span className={styles['chip']} data-tone={tone} title={title}>
      <Icon size={14} aria-hidden className={spins ? styles['spins'] : undefined} />
      {children}
    </span>
  )
}

/** How a status is shown; each kind of status has a table of these. */
export type Look = Omit<Props, 'children'> & { word: string }

export function StatusChip({ word, ...chip }: Look): ReactNode {
  return <Chip {...chip}>{word}</Chip>
}
