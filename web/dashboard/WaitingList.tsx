import type { ReactNode } from 'react'
import { valueNames } from '#contract/incidents/incident-names.ts'
import type { IncidentOverview, WaitingApproval } from '#contract/incidents/waiting.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { Empty } from '../kit/page/Empty.tsx'
import { Foreign } from '../kit/text/Foreign.tsx'
import { formatNoun } from '../kit/text/format.ts'
import { TextLink } from '../kit/text/links.tsx'
import { Age } from '../kit/time/Time.tsx'
import styles from './WaitingList.module.css'

/** The reader's tasks: approvals first, then incidents, reports and matches that have not been looked at. */
export function WaitingList({ overview }: { overview: IncidentOverview }): ReactNode {
  const { slug } = useWorkspace()
  const { approvals, inbox, toReview, untaken, usersNotInformed } = overview
  const mine = approvals.filter(({ isMine }) => isMine)
  const others = approvals.length - mine.length
  if (mine.length + others + inbox.unanswered + untaken + toReview + usersNotInformed === 0)
    return <Empty why="Nothing waits for you." />
  return (
    <ul className={styles['list']}>
      {mine.map((approval) => (
        <Approval key={`${approval.incident.id} ${approval.determination?.id ?? ''}`} approval={approval} />
      ))}
      {untaken === 0 ? null : (
        <li className={styles['item']}>
          <TextLink {...pages.incidents(slug, { assignee: 'none' })}>
            Take {formatNoun(untaken, 'incident')} without an assignee
          </TextLink>
          <span className="dimmed">Nobody works on what has no assignee, and the clocks run.</span>
        </li>
      )}
      <Acknowledgments inbox={inbox} />
      {toReview === 0 ? null : (
        <li className={styles['item']}>
          <TextLink {...pages.review(slug)}>
            {formatNoun(toReview, 'match', 'matches')} of malware and exploited vulnerabilities to review
          </TextLink>
          <span className="dimmed">
            They do not open incidents by themselves: malware waits for a person, and the others are
            uncertain.
          </span>
        </li>
      )}
      {usersNotInformed === 0 ? null : (
        <li className={styles['item']}>
          <TextLink {...pages.incidents(slug, { status: 'all' })}>
            Users not yet informed of {formatNoun(usersNotInformed, 'incident')}
          </TextLink>
          <span className="dimmed">CRA Art. 14(8): the event, and what they can do.</span>
        </li>
      )}
      {others === 0 ? null : (
        <li className={styles['item']}>
          <TextLink {...pages.incidents(slug)}>
            {formatNoun(others, 'approval')} waiting for somebody else
          </TextLink>
        </li>
      )}
    </ul>
  )
}

/** Unacknowledged reports; counts those whose promised answer is overdue or due within a day. */
function Acknowledgments({
  inbox: { unanswered, overdue, dueSoon },
}: Pick<IncidentOverview, 'inbox'>): ReactNode {
  const { slug } = useWorkspace()
  if (unanswered === 0) return null
  const late = [
    ...(overdue === 0 ? [] : [`${overdue} overdue`]),
    ...(dueSoon === 0 ? [] : [`${dueSoon} due soon`]),
  ]
  return (
    <li className={styles['item']}>
      <TextLink {...pages.inbox(slug)}>
        Acknowledge in the inbox: {[formatNoun(unanswered, 'report'), ...late].join(', ')}
      </TextLink>
      {late.length === 0 ? null : (
        <span className="dimmed">The reporter was promised an answer by then.</span>
      )}
    </li>
  )
}

function Approval({ approval }: { approval: WaitingApproval }): ReactNode {
  const { slug } = useWorkspace()
  const { incident, determination, recordedBy, recordedAt } = approval
  return (
    <li className={styles['item']}>
      <TextLink {...pages.incident(slug, incident.id)}>
        Decide:{' '}
        {determination === null ? 'a change of awareness or of a regime' : valueNames[determination.value]} on{' '}
        {incident.reference}
      </TextLink>
      <span className="dimmed">
        <Foreign>{incident.title}</Foreign>, recorded by <Foreign>{recordedBy}</Foreign>{' '}
        <Age at={recordedAt} />
      </span>
    </li>
  )
}
