import type { ShownDecidability } from '#contract/identity.ts'
import type { ReactNode } from 'react'
import styles from './CoverageBar.module.css'
import { Swatch } from './DecidabilityMark.tsx'

type Props = { shares: { state: ShownDecidability; count: number }[] }

/** The shares side by side; the table below has the numbers. */
export function CoverageBar({ shares }: Props): ReactNode {
  return (
    <div className={styles['bar']} aria-hidden>
      {shares
        .filter(({ count }) => count > 0)
        .map(({ state, count }) => (
          <span key={state} className={styles['part']} style={{ flexGrow: count }}>
            <Swatch state={state} />
          </span>
        ))}
    </div>
  )
}
