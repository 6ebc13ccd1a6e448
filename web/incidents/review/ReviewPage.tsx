import { Text, Textarea } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { visibleText } from '#contract/hidden-characters.ts'
import { shortestReasoning } from '#contract/incidents/shapes.ts'
import type { ReviewRow } from '#contract/incidents/waiting.ts'
import { dismissReview } from '#contract/incidents/operations.ts'
import { refusal } from '../../workspaces/access.ts'
import { call } from '../../kit/api/call.ts'
import { reviewQuery } from '../queries.ts'
import { listedRows } from '../../kit/api/listed.ts'
import { useAct } from '../../kit/api/use-act.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { pages } from '../../paths.ts'
import { ActionLink } from '../../kit/actions/ActionLink.tsx'
import { ActionButton } from '../../kit/actions/ActionButton.tsx'
import { MoreButton } from '../../kit/actions/MoreButton.tsx'
import { FilterChips } from '../../kit/table/FilterChips.tsx'
import { ExploitedChips } from '../../findings/ExploitedChip.tsx'
import { SeverityMark } from '../../findings/Severity.tsx'
import { Form } from '../../kit/form/Form.tsx'
import { useSendForm } from '../../kit/form/use-send-form.ts'
import { DetailDrawer } from '../../kit/page/DetailDrawer.tsx'
import { Empty } from '../../kit/page/Empty.tsx'
import { FactList } from '../../kit/page/Facts.tsx'
import { PageHeader } from '../../kit/page/PageHeader.tsx'
import { Problem } from '../../kit/page/Problem.tsx'
import { VulnerabilityName } from '../../findings/VulnerabilityName.tsx'
import type { Column } from '../../kit/table/column.ts'
import { DataTable } from '../../kit/table/DataTable.tsx'
import { TableNote } from '../../kit/table/TableNote.tsx'
import { TableTools } from '../../kit/table/TableTools.tsx'
import { ButtonLink } from '../../kit/text/links.tsx'
import { Foreign, ForeignLines } from '../../kit/text/Foreign.tsx'
import { NameVersion } from '../../kit/text/NameVersion.tsx'
import { Age, ZonedTime } from '../../kit/time/Time.tsx'
import { IncidentsNav } from '../IncidentsNav.tsx'
import styles from './ReviewPage.module.css'

/** Exploited vulnerabilities that may be in a product: a person looks, and opens an incident or puts the match aside. */
export default function ReviewPage(): ReactNode {
  const { slug } = useWorkspace()
  const filter = useSearch({ from: '/signed-in/$slug/review' })
  const [open, setOpen] = useState<ReviewRow | undefined>()
  const review = useInfiniteQuery(reviewQuery(slug, filter))
  const { rows, total, onMore, onRetry } = listedRows(review)
  const isDismissed = filter.dismissed === 'yes'
  return (
    <>
      <PageHeader
        title="To review"
        crumbs={[{ name: 'Incidents', link: pages.incidents(slug) }]}
        about="Exploited vulnerabilities that may be in a product, but do not match exactly. They open no incident by themselves."
      />
      <IncidentsNav />
      <ReviewTools isDismissed={isDismissed} total={total} updatedAtMs={review.dataUpdatedAt} />
      {review.error === null ? null : <Problem error={review.error} onRetry={onRetry} />}
      <DataTable
        label="Matches to review"
        columns={[...columns, judgeColumn(setOpen)]}
        rows={rows}
        rowId={({ findingId }) => findingId}
        rowLink={({ findingId }) => pages.finding(slug, findingId)}
        openRow={open?.findingId}
        empty={
          <Empty
            why={
              isDismissed
                ? 'Nothing has been put aside.'
                : 'Nothing to review: every exploited vulnerability in your products matches exactly, is decided, or has an incident.'
            }
          />
        }
      />
      <MoreButton onMore={onMore} isLoading={review.isFetchingNextPage}>
        Show more
      </MoreButton>
      <ReviewDrawer
        row={open}
        onClose={() => {
          setOpen(undefined)
        }}
      />
    </>
  )
}

type ToolsProps = { isDismissed: boolean; total: number | undefined; updatedAtMs: number }

function ReviewTools({ isDismissed, total, updatedAtMs }: ToolsProps): ReactNode {
  const { slug } = useWorkspace()
  const navigate = useNavigate()
  const choice = {
    id: 'dismissed',
    label: 'Put aside',
    pressed: isDismissed,
    onToggle: () => {
      void navigate({ ...pages.review(slug, isDismissed ? {} : { dismissed: 'yes' }) })
    },
  }
  return (
    <TableTools
      filters={<FilterChips label="Filters" choices={[choice]} />}
      note={<TableNote count={total} noun="match" nouns="matches" updatedAtMs={updatedAtMs} />}
    />
  )
}

const columns: Column<ReviewRow>[] = [
  {
    id: 'vulnerability',
    header: 'Vulnerability',
    cell: ({ vulnerability, summary, component }) => (
      <VulnerabilityName
        id={vulnerability}
        summary={summary}
        onPhone={<NameVersion name={component.name} version={component.version} />}
      />
    ),
  },
  {
    id: 'listed',
    header: 'Listed',
    widthPx: 128,
    from: 'sm',
    cell: ({ listedBy }) => <ExploitedChips catalogues={listedBy} />,
  },
  {
    id: 'severity',
    header: 'Severity',
    widthPx: 116,
    from: 'md',
    cell: ({ severity }) => <SeverityMark severity={severity} score={null} />,
  },
  {
    id: 'component',
    header: 'Component',
    from: 'sm',
    cell: ({ component }) => (
      <NameVersion name={component.name} version={component.version} title={component.purl} />
    ),
  },
  {
    id: 'family',
    header: 'Product',
    from: 'sm',
    cell: ({ family, version }) => <NameVersion name={family.name} version={version} />,
  },
  {
    id: 'seen',
    header: 'Found',
    widthPx: 100,
    from: 'lg',
    cell: ({ firstSeenAt }) => <Age at={firstSeenAt} />,
  },
]

function judgeColumn(onOpen: (row: ReviewRow) => void): Column<ReviewRow> {
  return {
    id: 'judge',
    header: 'Judge',
    hidesHeader: true,
    widthPx: 96,
    cell: (row) => (
      <button
        type="button"
        className={styles['judge']}
        aria-label={visibleText(`Judge ${row.vulnerability} in ${row.family.name}`)}
        onClick={() => {
          onOpen(row)
        }}
      >
        {row.dismissed === null ? 'Judge' : 'Why'}
      </button>
    ),
  }
}

type DrawerProps = { row: ReviewRow | undefined; onClose: () => void }

function ReviewDrawer({ row, onClose }: DrawerProps): ReactNode {
  return (
    <DetailDrawer title={row?.vulnerability ?? ''} opened={row !== undefined} onClose={onClose}>
      {row === undefined ? null : <Review row={row} onClose={onClose} />}
    </DetailDrawer>
  )
}

function Review({ row, onClose }: { row: ReviewRow; onClose: () => void }): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const { vulnerability, family, dismissed, component } = row
  const [isDismissing, setDismissing] = useState(false)
  const refused = refusal(workspace, dismissReview.permission)
  return (
    <div className={styles['review']}>
      <Text>
        <Foreign>{row.summary}</Foreign>
      </Text>
      <FactList
        facts={[
          { name: 'Product', value: <NameVersion name={family.name} version={row.version} /> },
          { name: 'Component', value: <NameVersion name={component.name} version={component.version} /> },
          { name: 'Listed by', value: <ExploitedChips catalogues={row.listedBy} /> },
          ...(dismissed === null
            ? []
            : [
                { name: 'Put aside by', value: dismissed.by },
                { name: 'At', value: <ZonedTime at={dismissed.at} /> },
                { name: 'Because', value: <ForeignLines>{dismissed.reason}</ForeignLines> },
              ]),
        ]}
      />
      <div className={styles['buttons']}>
        <ButtonLink {...pages.finding(slug, row.findingId)} variant="default">
          Evidence of the match
        </ButtonLink>
        <ActionLink
          link={pages.incidents(slug, { dialog: 'open', vulnerability, family: family.id })}
          refused={refusal(workspace, 'work_on_incidents')}
        >
          Open an incident
        </ActionLink>
        {dismissed === null && !isDismissing ? (
          <ActionButton
            variant="default"
            refused={refused}
            onClick={() => {
              setDismissing(true)
            }}
          >
            Put aside
          </ActionButton>
        ) : null}
      </div>
      {isDismissing ? <DismissForm row={row} onDone={onClose} /> : null}
    </div>
  )
}

function DismissForm({ row, onDone }: { row: ReviewRow; onDone: () => void }): ReactNode {
  const { slug } = useWorkspace()
  const form = useSendForm({
    initialValues: { reason: '' },
    inputOf: ({ reason }) => ({ reason: reason.trim() }),
    send: useAct({
      slug,
      final: true,
      send: (body: { reason: string }) =>
        call(dismissReview, { params: { slug, finding: row.findingId }, body }),
      done: () => 'The match is put aside.',
      onDone,
    }),
  })
  return (
    <Form state={form.state} verb="Put aside">
      <Textarea
        {...form.getInputProps('reason')}
        label="Why it is not in the product"
        description={`At least ${shortestReasoning} characters; it stays on record.`}
        autosize
        minRows={2}
        required
        maxLength={2_000}
      />
    </Form>
  )
}
