import type { ReactNode } from 'react'
import type { ShownDecidability } from '#contract/identity.ts'
import { decidabilityLooks } from './coverage.ts'
import styles from './DecidabilityMark.module.css'

/** A swatch in the colour or hatching of the coverage bar, and the word. */
export function DecidabilityMark({ state }: { state: ShownDecidability }): ReactNode {
  const { word, meaning } = decidabilityLooks[state]
  return (
    <span className={styles['mark']} title={meaning}>
      <Swatch state={state} />
      {word}
    </span>
  )
}

export function Swatch({ state }: { state: ShownDecidability }): ReactNode {
  return <span className={styles['swatch']} data-state={state} aria-hidden />
}
