import type { ReactNode } from 'react'
import { Foreign } from '../text/Foreign.tsx'
import styles from './Facts.module.css'

/** A text value may come from a file. */
export type Fact = { name: string; value: ReactNode }

/** A row of facts under a title; on a phone they stack in two columns. */
export function Facts({ facts }: { facts: Fact[] }): ReactNode {
  return <dl className={styles['row']}>{facts.map(factOf)}</dl>
}

/** Facts one below the other, for cards and drawers. */
export function FactList({ facts }: { facts: Fact[] }): ReactNode {
  return <dl className={styles['list']}>{facts.map(factOf)}</dl>
}

function factOf({ name, value }: Fact): ReactNode {
  return (
    <div key={name} className={styles['fact']}>
      <dt className={styles['name']}>{name}</dt>
      <dd className={styles['value']}>{typeof value === 'string' ? <Foreign>{value}</Foreign> : value}</dd>
    </div>
  )
}
