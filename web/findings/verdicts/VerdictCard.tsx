import { Text } from '@mantine/core'
import { IconArrowsSplit2 } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { FindingDetail } from '#contract/findings/shapes.ts'
import { incidentObstacles } from '#contract/findings/verdict.ts'
import { Card } from '../../kit/page/Card.tsx'
import { verdictLooks } from '../verdict.ts'
import { VerdictChip } from '../VerdictChip.tsx'
import { DecisionLines } from './DecisionLines.tsx'
import { DecisionHistory } from './DecisionHistory.tsx'
import { RecordVerdict } from './RecordVerdict.tsx'
import { RevokeDecision } from './RevokeDecision.tsx'
import { StatementLines } from './StatementLines.tsx'
import styles from './VerdictCard.module.css'

type Props = { finding: FindingDetail }

/** The verdict in force and its source, then other statements and earlier decisions. */
export function VerdictCard({ finding }: Props): ReactNode {
  const { verdict, decisions, statements } = finding
  const present = decisions.find(({ id }) => id === verdict?.decisionId)
  const deciding = statements.find(({ decides }) => decides)
  const others = statements.filter((statement) => statement !== deciding)
  const earlier = decisions.filter((decision) => decision !== present)
  return (
    <Card
      title="Verdict"
      aside={finding.closedAt === null ? <RecordVerdict finding={finding} present={present} /> : null}
    >
      <div className={styles['now']}>
        <VerdictChip verdict={verdict?.verdict ?? null} />
        {verdict === null ? <Text c="dimmed">No verdict yet.</Text> : null}
        {present === undefined ? null : (
          <>
            <DecisionLines decision={present} />
            <RevokeDecision decision={present} finding={finding} />
          </>
        )}
        {deciding === undefined ? null : <StatementLines statement={deciding} />}
        {verdict === null || present !== undefined || deciding !== undefined ? null : (
          <Text c="dimmed">
            Every CVE of this notice is settled. This is the most cautious of their verdicts.
          </Text>
        )}
      </div>
      <Difference finding={finding} />
      {others.length === 0 ? null : (
        <details className={styles['part']} open={present !== undefined}>
          <summary>
            {deciding === undefined ? 'What documents say' : 'What other documents say'} ({others.length})
          </summary>
          <ul className={styles['list']}>
            {others.map((statement) => (
              <li key={`${statement.documentId} ${statement.number}`} className={styles['now']}>
                <VerdictChip verdict={statement.verdict} />
                <StatementLines statement={statement} />
              </li>
            ))}
          </ul>
        </details>
      )}
      <DecisionHistory decisions={earlier} />
      <IncidentLine finding={finding} />
    </Card>
  )
}

/** Shown where a member's decision contradicts a document, because only one can be right. */
function Difference({ finding: { verdict, statements } }: Props): ReactNode {
  const other = statements.find((statement) => statement.verdict !== verdict?.verdict)
  if (verdict?.source !== 'decision' || other === undefined) return null
  return (
    <p className={styles['differs']}>
      <IconArrowsSplit2 size={16} aria-hidden />
      <span>
        An uploaded document says “{verdictLooks[other.verdict].word.toLowerCase()}”. The member’s decision
        takes precedence.
      </span>
    </p>
  )
}

/** Only exploited vulnerabilities can become incidents; elsewhere the line would be noise. */
function IncidentLine({ finding: { incident, verdict } }: Props): ReactNode {
  if (incident.obstacle === 'not_listed') return null
  if (incident.obstacle !== null) {
    return (
      <Text c="dimmed" mt="md">
        Known to be exploited, but no incident is opened automatically. {incidentObstacles[incident.obstacle]}
      </Text>
    )
  }
  const isOwnWord = verdict?.source === 'decision' && ['not_affected', 'fixed'].includes(verdict.verdict)
  return (
    <Text c="dimmed" mt="md">
      Known to be exploited and an exact match, so it qualifies as an incident.
      {isOwnWord
        ? ' A member’s verdict alone does not change that: it takes a determination by two people.'
        : ''}
    </Text>
  )
}
