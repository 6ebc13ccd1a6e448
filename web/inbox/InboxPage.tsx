import { Tabs } from '@mantine/core'
import { IconKeyOff } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { inboxTabs, type InboxRow, type InboxTab } from '#contract/disclosure/shapes.ts'
import { isAllowed } from '#contract/roles.ts'
import { inboxQuery } from './queries.ts'
import { listedRows } from '../kit/api/listed.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { Empty } from '../kit/page/Empty.tsx'
import { Notice } from '../kit/page/Notice.tsx'
import { PageHeader } from '../kit/page/PageHeader.tsx'
import { showOpenTab } from '../kit/page/PageTabs.tsx'
import type { Column } from '../kit/table/column.ts'
import { CutForeign, Foreign } from '../kit/text/Foreign.tsx'
import { formatCount } from '../kit/text/format.ts'
import { TextLink } from '../kit/text/links.tsx'
import { Age } from '../kit/time/Time.tsx'
import { FullRoom } from './FullRoom.tsx'
import { Countdown } from './Countdown.tsx'
import { ExploitedChip, ReportStateChip, tabNames } from './report-words.tsx'
import { List } from '../kit/table/List.tsx'

const columns: Column<InboxRow>[] = [
  {
    id: 'title',
    header: 'Report',
    cell: ({ number, title, isErased }) => (
      <span className="clip">
        #{number}{' '}
        {title === null ? (
          <span className="dimmed">{isErased ? 'erased' : 'cannot be opened'}</span>
        ) : (
          <Foreign>{title}</Foreign>
        )}
      </span>
    ),
  },
  {
    id: 'exploited',
    header: 'Exploited',
    widthPx: 116,
    from: 'sm',
    cell: ({ exploited }) => <ExploitedChip exploited={exploited} />,
  },
  {
    id: 'family',
    header: 'Family',
    widthPx: 150,
    from: 'lg',
    cell: ({ family }) =>
      family === null ? <span className="dimmed">none</span> : <CutForeign>{family.name}</CutForeign>,
  },
  {
    id: 'state',
    header: 'State',
    widthPx: 132,
    from: 'md',
    cell: ({ state }) => <ReportStateChip state={state} />,
  },
  {
    id: 'acknowledge',
    header: 'Acknowledge',
    widthPx: 140,
    phoneWidthPx: 140,
    cell: ({ acknowledgeBy, state }) => <Countdown by={state === 'spam' ? null : acknowledgeBy} />,
  },
  {
    id: 'received',
    header: 'Received',
    widthPx: 110,
    from: 'sm',
    cell: ({ receivedAt }) => <Age at={receivedAt} />,
  },
]

const about = 'Vulnerability reports from outside. None of what they say leaves the workspace by itself.'

/** The disclosure inbox: vulnerability reports by state. */
export default function InboxPage(): ReactNode {
  const { role } = useWorkspace()
  if (isAllowed(role, 'see_inbox')) return <Inbox />
  return (
    <>
      <PageHeader title="Inbox" />
      <Empty why="Vulnerability reports are shown to owners, admins, leads and editors." />
    </>
  )
}

function Inbox(): ReactNode {
  const { slug } = useWorkspace()
  const { tab = 'new' } = useSearch({ from: '/signed-in/$slug/inbox' })
  const navigate = useNavigate()
  const query = useInfiniteQuery(inboxQuery(slug, tab))
  const { first, ...known } = listedRows(query)
  // The tab counts stay while another tab loads; the old rows are those of the previous tab.
  const reports = query.isPlaceholderData ? { ...known, rows: undefined, total: undefined } : known
  const { rows, total } = reports
  return (
    <>
      <PageHeader title="Inbox" about={about} />
      {first?.canReceive === false ? (
        <Notice Icon={IconKeyOff}>
          No report can be received or read: the service has no usable encryption key. The operator has to set
          one.
        </Notice>
      ) : null}
      {first === undefined ? null : <FullRoom files={first.files} />}
      <Tabs
        value={tab}
        onChange={(value) => {
          const next = inboxTabs.find((name) => name === value)
          void navigate(pages.inbox(slug, next === undefined || next === 'new' ? {} : { tab: next }))
        }}
      >
        <Tabs.List ref={showOpenTab} mb="md">
          {inboxTabs.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {tabNames[name]}
              {first === undefined ? '' : ` ${formatCount(first.counts[name])}`}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab}>
          <List
            list={reports}
            note={{ count: rows?.length, of: total, noun: 'report' }}
            more="Show more reports"
            label={`${tabNames[tab]} reports`}
            columns={columns}
            rowId={({ id }) => id}
            rowLink={({ number }) => pages.inboxReport(slug, number)}
            empty={<EmptyInbox tab={tab} />}
          />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}

const emptyWords: Record<InboxTab, string> = {
  new: 'No report waits for an answer.',
  open: 'No report is being worked on.',
  closed: 'No report has been closed.',
  spam: 'Nothing has been marked as spam. Spam is deleted after 30 days.',
}

function EmptyInbox({ tab }: { tab: InboxTab }): ReactNode {
  const { slug } = useWorkspace()
  const next =
    tab === 'new' ? (
      <TextLink {...pages.disclosure(slug)}>See where people can report, and what you promise them</TextLink>
    ) : undefined
  return <Empty why={emptyWords[tab]} next={next} />
}
