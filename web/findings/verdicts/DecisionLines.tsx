import { Foreign, ForeignLines } from '../../kit/text/Foreign.tsx'
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Decision } from '#contract/findings/verdict.ts'
import { justificationWords } from '../verdict.ts'
import { ZonedTime } from '../../kit/time/Time.tsx'
import { scopeWords } from '../../vex/vex-words.ts'
import styles from './VerdictCard.module.css'

/** Who decided, when, for which versions, until when, and why. */
export function DecisionLines({ decision }: { decision: Decision }): ReactNode {
  const { decidedBy, decidedAt, expiresAt, justification, comment } = decision
  return (
    <>
      <Text>
        Decided by{' '}
        <strong>
          <Foreign>{decidedBy}</Foreign>
        </strong>{' '}
        on <ZonedTime at={decidedAt} /> for {scopeWords(decision)}
        {expiresAt === null ? (
          ', with no end date'
        ) : (
          <>
            , until <ZonedTime at={expiresAt} />
          </>
        )}
        .
      </Text>
      {justification === null ? null : (
        <Text title={justification}>{justificationWords[justification].name}.</Text>
      )}
      {comment === '' ? null : (
        <blockquote className={styles['quote']}>
          <ForeignLines>{comment}</ForeignLines>
        </blockquote>
      )}
    </>
  )
}
