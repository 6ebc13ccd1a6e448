import { Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { emptyContent } from '#contract/advisories/empty-content.ts'
import type { AdvisoryList, AdvisoryRow } from '#contract/advisories/shapes.ts'
import { correctOutdatedAdvisories, createAdvisory } from '#contract/advisories/operations.ts'
import { refusal } from '../workspaces/access.ts'
import { advisoriesQuery } from './queries.ts'
import { call } from '../kit/api/call.ts'
import { listedRows } from '../kit/api/listed.ts'
import { useAct } from '../kit/api/use-act.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { ActionButton } from '../kit/actions/ActionButton.tsx'
import { SeverityMark } from '../findings/Severity.tsx'
import { Empty } from '../kit/page/Empty.tsx'
import { isMissing } from '../kit/page/Loaded.tsx'
import { PageHeader } from '../kit/page/PageHeader.tsx'
import { Problem } from '../kit/page/Problem.tsx'
import type { Column } from '../kit/table/column.ts'
import { VirtualTable } from '../kit/table/VirtualTable.tsx'
import { ExternalLink } from '../kit/text/ExternalLink.tsx'
import { formatNoun } from '../kit/text/format.ts'
import { Foreign } from '../kit/text/Foreign.tsx'
import { Moment } from '../kit/time/Time.tsx'
import { AdvisorySettingsCard } from './AdvisorySettingsCard.tsx'
import { Warning } from './Warning.tsx'

const stateWords = { draft: 'Draft', in_review: 'In review', approved: 'Approved' }

const columns: Column<AdvisoryRow>[] = [
  {
    id: 'id',
    header: 'Advisory',
    widthPx: 210,
    cell: ({ trackingId, title }) => (
      <span className="two-lines">
        <span className="uncut">{trackingId}</span>
        <span className="phone-only dimmed clip">
          <Title of={title} />
        </span>
      </span>
    ),
  },
  { id: 'title', header: 'Title', from: 'sm', cell: ({ title }) => <Title of={title} /> },
  {
    id: 'severity',
    header: 'Severity',
    widthPx: 110,
    from: 'sm',
    cell: ({ severity }) => (severity === null ? 'Not stated' : <SeverityMark severity={severity} />),
  },
  {
    id: 'published',
    header: 'Published',
    widthPx: 170,
    phoneWidthPx: 110,
    whole: true,
    cell: ({ published }) => (published === null ? 'Not yet' : `${published.number}, TLP:${published.tlp}`),
  },
  {
    id: 'draft',
    header: 'Being written',
    widthPx: 130,
    from: 'sm',
    cell: ({ draft }) => (draft === null ? '–' : stateWords[draft.state]),
  },
  {
    id: 'at',
    header: 'Last published',
    widthPx: 180,
    from: 'md',
    cell: ({ published }) => (published === null ? '–' : <Moment at={published.releasedAt} />),
  },
]

function Title({ of: title }: { of: string }): ReactNode {
  return <Foreign>{title === '' ? 'Without a title' : title}</Foreign>
}

/** The advisories the company publishes about vulnerabilities in its products. */
export default function AdvisoriesPage(): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const navigate = useNavigate()
  const advisories = listedRows(useInfiniteQuery(advisoriesQuery(slug)))
  const { rows, total, first: about, onMore, onRetry } = advisories
  const create = useAct({
    slug,
    send: () => call(createAdvisory, { params: { slug }, body: { content: emptyContent } }),
    closes: ({ id }) => navigate(pages.advisory(slug, id)),
  })
  return (
    <>
      <PageHeader
        title="Advisories"
        about="Security advisories on your products: drafts, and what is published in the public CSAF feed."
        actions={
          <ActionButton
            refused={refusal(workspace, 'draft_advisories')}
            loading={create.isPending}
            onClick={() => {
              create.mutate()
            }}
          >
            New advisory
          </ActionButton>
        }
      />
      <Stack gap="md">
        <Problem error={create.error} />
        <Problem error={advisories.error} onRetry={onRetry} />
        {about === undefined ? null : <Outdated outdated={about.outdated} />}
        {about === undefined ? null : <FeedFacts feed={about.feed} />}
        {isMissing({ error: advisories.error, data: rows }) ? null : (
          <VirtualTable
            label="Advisories"
            columns={columns}
            rows={rows}
            total={total ?? 0}
            rowId={({ id }) => id}
            rowLink={({ id }) => pages.advisory(slug, id)}
            openRow={undefined}
            empty={
              <Empty
                why="No advisory has been written so far."
                next="Begin one here, or from the page of a vulnerability."
              />
            }
            onMore={onMore}
          />
        )}
        <AdvisorySettingsCard />
      </Stack>
    </>
  )
}

function FeedFacts({ feed }: { feed: AdvisoryList['feed'] }): ReactNode {
  return (
    <>
      <Text size="sm" c="dimmed">
        The feed begins at <ExternalLink href={feed.metadataUrl}>{feed.metadataUrl}</ExternalLink>, the
        readable pages at <ExternalLink href={feed.pagesUrl}>{feed.pagesUrl}</ExternalLink>.
      </Text>
      {feed.isEncrypted ? null : (
        <Warning title="Published addresses are not encrypted">
          The address of the service is plain http, and every document names it. Set an https address before
          you publish for others.
        </Warning>
      )}
    </>
  )
}

function Outdated({ outdated: { count, withDraft } }: Pick<AdvisoryList, 'outdated'>): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const correct = useAct({
    slug,
    send: () =>
      call(correctOutdatedAdvisories, {
        params: { slug },
        body: { summary: 'The publisher’s name, contact or namespace has changed.' },
      }),
    done: () => 'The corrections are published.',
  })
  if (count === 0) return null
  return (
    <Warning
      title={`${formatNoun(count, 'published advisory', 'published advisories')} with an earlier publisher`}
    >
      <Text size="sm" mb="xs">
        The company’s name, contact or Canonical URL has changed since; documents keep what they were
        published with.
        {withDraft === 0
          ? ''
          : ` ${formatNoun(withDraft, 'advisory', 'advisories')} with a draft ${withDraft === 1 ? 'is' : 'are'} left out: publishing the draft corrects it.`}
      </Text>
      <Problem error={correct.error} />
      <ActionButton
        size="xs"
        refused={refusal(workspace, 'publish_advisories')}
        loading={correct.isPending}
        onClick={() => {
          correct.mutate()
        }}
      >
        Publish a correction of all
      </ActionButton>
    </Warning>
  )
}
