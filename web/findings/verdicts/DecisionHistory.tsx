import { Foreign } from '../../kit/text/Foreign.tsx'
import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Decision, DecisionState } from '#contract/findings/verdict.ts'
import { ZonedTime } from '../../kit/time/Time.tsx'
import { VerdictChip } from '../VerdictChip.tsx'
import { DecisionLines } from './DecisionLines.tsx'
import { RevokeBatch } from './RevokeBatch.tsx'
import styles from './VerdictCard.module.css'

const endWords: Record<Exclude<DecisionState, 'in_force'>, string> = {
  replaced: 'Replaced',
  revoked: 'Revoked',
  expired: 'Expired',
}

/** Earlier decisions of members, newest first. */
export function DecisionHistory({ decisions }: { decisions: Decision[] }): ReactNode {
  if (decisions.length === 0) return null
  return (
    <details className={styles['part']}>
      <summary>Earlier decisions ({decisions.length})</summary>
      <ul className={styles['list']}>
        {decisions.map((decision) => (
          <li key={decision.id} className={styles['now']}>
            <VerdictChip verdict={decision.verdict} />
            <DecisionLines decision={decision} />
            <End decision={decision} />
          </li>
        ))}
      </ul>
    </details>
  )
}

function End({ decision }: { decision: Decision }): ReactNode {
  const { state, endedAt, endedBy } = decision
  if (state === 'in_force')
    return (
      <>
        <Text c="dimmed">In force, but a decision for this version takes precedence.</Text>
        <Group>
          <RevokeBatch decision={decision} />
        </Group>
      </>
    )
  return (
    <Text c="dimmed">
      {endWords[state]}
      {endedBy === null ? null : (
        <>
          {' '}
          by <Foreign>{endedBy}</Foreign>
        </>
      )}
      {endedAt === null ? null : (
        <>
          {' '}
          on <ZonedTime at={endedAt} />
        </>
      )}
      .
    </Text>
  )
}
