import { Alert, Stack } from '@mantine/core'
import { IconFlame } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { InboxReport } from '#contract/disclosure/shapes.ts'
import { isAllowed } from '#contract/roles.ts'
import { inboxReportQuery } from './queries.ts'
import { isFailure } from '../kit/api/request.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { Cards } from '../kit/page/Card.tsx'
import { Empty } from '../kit/page/Empty.tsx'
import { Facts } from '../kit/page/Facts.tsx'
import { PageHeader } from '../kit/page/PageHeader.tsx'
import { NotFoundPage } from '../kit/page/WholePage.tsx'
import { TextLink } from '../kit/text/links.tsx'
import { Moment } from '../kit/time/Time.tsx'
import { Countdown } from './Countdown.tsx'
import { ReportActions } from './ReportActions.tsx'
import { ReportCredit } from './ReportCredit.tsx'
import { ReportLinks } from './ReportLinks.tsx'
import { ReportStateChip, spamWords } from './report-words.tsx'
import { ReportText } from './ReportText.tsx'
import { ReportThread } from './ReportThread.tsx'
import { ReportTriage } from './ReportTriage.tsx'
import { Loaded } from '../kit/page/Loaded.tsx'

/** One vulnerability report: its text, the thread with its reporter, and its state. */
export default function ReportPage(): ReactNode {
  const { slug, role } = useWorkspace()
  const { number } = useParams({ from: '/signed-in/$slug/inbox/$number' })
  const canSee = isAllowed(role, 'see_inbox')
  const report = useQuery({ ...inboxReportQuery(slug, number), enabled: canSee })
  if (!canSee) return <Unseen number={number} />
  if (report.data === undefined && isFailure(report.error, 'not_found')) return <NotFoundPage />
  return <Loaded query={report}>{(known) => <Report report={known} />}</Loaded>
}

function Unseen({ number }: { number: string }): ReactNode {
  const { slug } = useWorkspace()
  return (
    <>
      <PageHeader title={`Report #${number}`} crumbs={[{ name: 'Inbox', link: pages.inbox(slug) }]} />
      <Empty why="Vulnerability reports are shown to owners, admins, leads and editors." />
    </>
  )
}

function Report({ report }: { report: InboxReport }): ReactNode {
  const { slug } = useWorkspace()
  const title = report.report?.title ?? `Report #${report.number}`
  return (
    <>
      <PageHeader
        title={title}
        crumbs={[{ name: 'Inbox', link: pages.inbox(slug) }]}
        status={<ReportStateChip state={report.state} />}
        actions={<ReportActions report={report} />}
      />
      <Stack gap="md">
        {report.exploited === 'yes' ? (
          <Alert
            color="red"
            variant="light"
            icon={<IconFlame size={18} />}
            title="Reported as being exploited"
          >
            This may start the 24-hour clock. Decide now whether it becomes an incident.
          </Alert>
        ) : null}
        <SpamReasons report={report} />
        <Facts
          facts={[
            { name: 'Number', value: `#${report.number}` },
            { name: 'Received', value: <Moment at={report.receivedAt} /> },
            {
              name: report.answeredAt === null ? 'Acknowledge' : 'Acknowledged',
              value:
                report.answeredAt === null ? (
                  <Countdown by={report.state === 'spam' ? null : report.acknowledgeBy} />
                ) : (
                  <Moment at={report.answeredAt} />
                ),
            },
            { name: 'Family', value: report.family?.name ?? 'none' },
            { name: 'Exploited', value: report.exploited },
            { name: 'Written in', value: languageNames[report.language] },
          ]}
        />
        <Duplicates report={report} />
        <ReportLinks report={report} />
        <Cards>
          <ReportText report={report} />
          <ReportThread report={report} />
        </Cards>
        <Cards>
          <ReportTriage report={report} />
          <ReportCredit report={report} />
        </Cards>
      </Stack>
    </>
  )
}

const languageNames = { en: 'English', nb: 'Norwegian', de: 'German' }

function SpamReasons({ report: { state, spamReasons } }: { report: InboxReport }): ReactNode {
  if (state !== 'spam') return null
  const told = spamReasons.includes('by_member') ? 'Members may have been told before.' : 'Nobody was told.'
  return (
    <Alert color="gray" variant="light" title="Taken for spam">
      {`Because ${spamReasons.map((reason) => spamWords[reason]).join(', ')}. It is deleted after 30 days. ${told}`}
    </Alert>
  )
}

function Duplicates({ report: { duplicateOf, duplicates } }: { report: InboxReport }): ReactNode {
  const { slug } = useWorkspace()
  if (duplicateOf === null && duplicates.length === 0) return null
  const related = duplicateOf === null ? duplicates : [duplicateOf]
  return (
    <p>
      {duplicateOf === null ? 'Duplicates of this report: ' : 'A duplicate of '}
      {related.map(({ number }, at) => (
        <span key={number}>
          {at === 0 ? '' : ', '}
          <TextLink {...pages.inboxReport(slug, number)}>#{number}</TextLink>
        </span>
      ))}
    </p>
  )
}
