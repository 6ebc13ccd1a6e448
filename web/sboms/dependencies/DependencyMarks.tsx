import { VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import type { DependencyRow } from '#contract/dependencies/shapes.ts'
import { ExploitedMark } from '../../findings/ExploitedMark.tsx'
import { severityLooks } from '../../findings/severity.ts'
import { SeverityMark } from '../../findings/Severity.tsx'
import { formatNoun } from '../../kit/text/format.ts'
import styles from './dependencies.module.css'

type Marked = Pick<DependencyRow, 'findings' | 'severity' | 'isExploited' | 'severityBelow'>

/** The findings on a component, and a small icon if there are some below it. */
export function DependencyMarks({ findings, severity, isExploited, severityBelow }: Marked): ReactNode {
  return (
    <span className={styles['marks']}>
      {severity === null ? null : (
        <>
          {isExploited ? (
            <ExploitedMark size="chip" title="Known to be exploited">
              Exploited
            </ExploitedMark>
          ) : null}
          <SeverityMark severity={severity} />
          <span className={styles['count']}>{formatNoun(findings, 'finding')}</span>
        </>
      )}
      {severityBelow === null ? null : <Below severity={severityBelow} />}
    </span>
  )
}

function Below({ severity }: { severity: NonNullable<DependencyRow['severityBelow']> }): ReactNode {
  const { Icon, sign, word } = severityLooks[severity]
  return (
    <span className={styles['below']} title={`The worst finding on what it depends on: ${word}`}>
      <Icon size={13} style={{ color: sign }} aria-hidden />
      below
      <VisuallyHidden>: {word}</VisuallyHidden>
    </span>
  )
}
