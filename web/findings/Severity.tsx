import type { ReactNode } from 'react'
import type { Severity } from '#contract/sbom/shapes.ts'
import { severityLooks } from './severity.ts'
import styles from './Severity.module.css'

type Props = { severity: Severity; score?: number | null }

/** A severity as icon and word, with its score when there is one. */
export function SeverityMark({ severity, score = null }: Props): ReactNode {
  const { word, color, sign, Icon } = severityLooks[severity]
  return (
    <span className={styles['mark']} style={{ color }}>
      <Icon size={15} aria-hidden style={{ color: sign }} />
      <span className={styles['word']}>{word}</span>
      {score === null ? null : <span className={styles['score']}>{score.toFixed(1)}</span>}
    </span>
  )
}
