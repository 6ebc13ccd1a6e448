import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { visibleText } from '#contract/hidden-characters.ts'
import type { ReviewRow } from '#contract/incidents/waiting.ts'
import { reviewQuery } from '../queries.ts'
import { listedRows } from '../../kit/api/listed.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { pages } from '../../areas.ts'
import { FilterChips } from '../../kit/table/FilterChips.tsx'
import { ExploitedChips } from '../../findings/ExploitedChip.tsx'
import { MalwareMark } from '../../findings/MalwareMark.tsx'
import { SeverityMark } from '../../findings/Severity.tsx'
import { Empty } from '../../kit/page/Empty.tsx'
import { VulnerabilityName } from '../../findings/VulnerabilityName.tsx'
import type { Column } from '../../kit/table/column.ts'
import { NameVersion } from '../../kit/text/NameVersion.tsx'
import { Age } from '../../kit/time/Time.tsx'
import { AllClear } from '../../sources/AllClear.tsx'
import { IncidentsNav } from '../IncidentsNav.tsx'
import styles from './ReviewPage.module.css'
import { ListPage } from '../../kit/page/ListPage.tsx'
import { ReviewDrawer } from './ReviewDrawer.tsx'

/** Exploited vulnerabilities that may be in a product, and malware: a person checks each match and opens an incident or dismisses it. */
export default function ReviewPage(): ReactNode {
  const { slug } = useWorkspace()
  const filter = useSearch({ from: '/signed-in/$slug/review' })
  const [open, setOpen] = useState<ReviewRow | undefined>()
  const isDismissed = filter.dismissed === 'yes'
  return (
    <ListPage
      title="To review"
      crumbs={[{ name: 'Incidents', link: pages.incidents(slug) }]}
      about="Exploited vulnerabilities that may be in a product but do not match exactly, and malware. They open no incident by themselves."
      nav={<IncidentsNav />}
      list={listedRows(useInfiniteQuery(reviewQuery(slug, filter)))}
      note={{ noun: 'match', nouns: 'matches' }}
      filters={<SetAsideFilter isDismissed={isDismissed} />}
      label="Matches to review"
      columns={[...columns, judgeColumn(setOpen)]}
      rowId={({ findingId }) => findingId}
      rowLink={({ findingId }) => pages.finding(slug, findingId)}
      openRow={open?.findingId}
      empty={
        isDismissed ? (
          <Empty why="Nothing has been set aside." />
        ) : (
          <AllClear
            exploited
            why="Nothing to review: no malware is open, and every exploited vulnerability in your products matches exactly, is decided, or has an incident."
          />
        )
      }
    >
      <ReviewDrawer
        row={open}
        onClose={() => {
          setOpen(undefined)
        }}
      />
    </ListPage>
  )
}

function SetAsideFilter({ isDismissed }: { isDismissed: boolean }): ReactNode {
  const { slug } = useWorkspace()
  const navigate = useNavigate()
  const choice = {
    id: 'dismissed',
    label: 'Set aside',
    pressed: isDismissed,
    onToggle: () => {
      void navigate(pages.review(slug, isDismissed ? {} : { dismissed: 'yes' }))
    },
  }
  return <FilterChips label="Filters" choices={[choice]} />
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
    cell: ({ malware, severity }) =>
      malware ? <MalwareMark /> : <SeverityMark severity={severity} score={null} />,
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
