import { VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import type { SeverityCounts as Counts } from '#contract/findings/counts.ts'
import { advisorySeverities } from '#contract/advisories/shapes.ts'
import type { Severity } from '#contract/sbom/shapes.ts'
import { formatCount } from '../kit/text/format.ts'
import { severityLooks } from './severity.ts'
import styles from './SeverityCounts.module.css'

/** The others are counted together: a vulnerability without impact needs no column. */
const shown = advisorySeverities satisfies readonly Severity[]

/** Findings by severity in columns that align across rows; the last column is unknown or none. */
export function SeverityCounts({ counts }: { counts: Counts }): ReactNode {
  return (
    <span className={styles['counts']}>
      {shown.map((severity) => (
        <Slot
          key={severity}
          severity={severity}
          count={counts[severity]}
          word={severityLooks[severity].word}
        />
      ))}
      <Slot severity="unknown" count={counts.none + counts.unknown} word={restWord(counts)} />
    </span>
  )
}

function restWord({ none, unknown }: Counts): string {
  const { none: nothing, unknown: notKnown } = severityLooks
  if (none === 0) return notKnown.word
  return unknown === 0 ? nothing.word : `${notKnown.word} or ${nothing.word.toLowerCase()}`
}

function Slot({ severity, count, word }: { severity: Severity; count: number; word: string }): ReactNode {
  const { sign, Icon } = severityLooks[severity]
  return (
    <span className={styles['slot']} data-zero={count === 0} title={`${formatCount(count)} ${word}`}>
      <Icon size={13} aria-hidden style={count === 0 ? undefined : { color: sign }} />
      <span className={styles['number']}>{formatCount(count)}</span>
      <VisuallyHidden> {word}, </VisuallyHidden>
    </span>
  )
}
