import type { ReactNode } from 'react'
import styles from './RangeBar.module.css'

type Props = {
  /** As shares of the longest time, from 0 to 1. */
  median: number
  p90: number
  isHatched: boolean
}

/** A bar to the median and a thin line to the 90th percentile; the text beside it says the same. */
export function RangeBar({ median, p90, isHatched }: Props): ReactNode {
  return (
    <span className={styles['track']} aria-hidden>
      <span className={styles['p90']} style={{ width: percent(p90) }} />
      <span className={styles['median']} data-hatched={isHatched} style={{ width: percent(median) }} />
    </span>
  )
}

function percent(share: number): string {
  return `${Math.max(0.5, share * 100)}%`
}
