import { Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { IncidentDetail } from '#contract/incidents/shapes.ts'
import { incidentQuery } from '../queries.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { incidentTabs, type IncidentTab } from '../paths.ts'
import { pages } from '../../paths.ts'
import { ExploitedChips } from '../../findings/ExploitedChip.tsx'
import { DrillChip, IncidentStatusChip } from '../incident-marks.tsx'
import { PageHeader } from '../../kit/page/PageHeader.tsx'
import { PageSkeleton } from '../../kit/page/PageSkeleton.tsx'
import { Problem } from '../../kit/page/Problem.tsx'
import { showOpenTab } from '../../kit/page/PageTabs.tsx'
import { formatCount } from '../../kit/text/format.ts'
import { DraftsTab } from '../drafts/DraftsTab.tsx'
import { OutcomePlace } from '../several/OutcomePlace.tsx'
import { AffectedTab } from './AffectedTab.tsx'
import { ClockRows } from './ClockRows.tsx'
import { CommentsTab } from './CommentsTab.tsx'
import { DeterminationPanel } from './DeterminationPanel.tsx'
import { FlawCards } from './FlawCards.tsx'
import { IncidentActions } from './IncidentActions.tsx'
import { IncidentFacts } from './IncidentFacts.tsx'
import { InformedCards } from './InformedCards.tsx'
import { TakeIncident } from './TakeIncident.tsx'
import { SubmissionsTab } from './SubmissionsTab.tsx'
import { TimelineTab } from './TimelineTab.tsx'

/** One incident: what is due when, what was decided and filed, and what it is about. */
export default function IncidentPage(): ReactNode {
  const { incident: id } = useParams({ from: '/signed-in/$slug/incidents/$incident' })
  const { slug } = useWorkspace()
  const incident = useQuery(incidentQuery(slug, id))
  const crumbs = [{ name: 'Incidents', link: pages.incidents(slug) }]
  if (incident.data === undefined) {
    if (incident.error === null) return <PageSkeleton />
    return (
      <>
        <PageHeader title="Incident" crumbs={crumbs} />
        <Problem
          error={incident.error}
          onRetry={() => {
            void incident.refetch()
          }}
        />
      </>
    )
  }
  const { reference, title, status, isExercise, listedBy } = incident.data
  return (
    <OutcomePlace>
      <PageHeader
        title={`${reference} ${title}`}
        crumbs={crumbs}
        status={
          <>
            <IncidentStatusChip status={status} />
            {isExercise ? <DrillChip /> : null}
            <ExploitedChips catalogues={listedBy} />
          </>
        }
        actions={<IncidentActions incident={incident.data} />}
      />
      <TakeIncident incident={incident.data} />
      <IncidentFacts incident={incident.data} />
      <ClockRows incident={incident.data} />
      <FlawCards flaw={incident.data.flaw} />
      <DeterminationPanel incident={incident.data} />
      <InformedCards incident={incident.data} />
      <IncidentTabs incident={incident.data} />
    </OutcomePlace>
  )
}

function IncidentTabs({ incident }: { incident: IncidentDetail }): ReactNode {
  const { slug } = useWorkspace()
  const { tab = 'affected' } = useSearch({ from: '/signed-in/$slug/incidents/$incident' })
  const navigate = useNavigate()
  const names = tabNames(incident)
  return (
    <Tabs
      value={tab}
      keepMounted={false}
      onChange={(value) => {
        const next = incidentTabs.find((name) => name === value)
        const search = next === undefined || next === 'affected' ? {} : { tab: next }
        void navigate({ ...pages.incident(slug, incident.id, search), resetScroll: false })
      }}
    >
      <Tabs.List ref={showOpenTab} mb="md">
        {incidentTabs.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {names[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="affected">
        <AffectedTab incident={incident} />
      </Tabs.Panel>
      <Tabs.Panel value="drafts">
        <DraftsTab incident={incident} />
      </Tabs.Panel>
      <Tabs.Panel value="submissions">
        <SubmissionsTab incident={incident} />
      </Tabs.Panel>
      <Tabs.Panel value="timeline">
        <TimelineTab incident={incident} />
      </Tabs.Panel>
      <Tabs.Panel value="comments">
        <CommentsTab incident={incident} />
      </Tabs.Panel>
    </Tabs>
  )
}

function tabNames({ affectedTotal, submissions, tasks }: IncidentDetail): Record<IncidentTab, string> {
  const counted = (words: string, count: number) => (count === 0 ? words : `${words} ${formatCount(count)}`)
  return {
    affected: counted('Affected', affectedTotal),
    drafts: 'Drafts',
    submissions: counted('Submissions', submissions.length),
    timeline: 'Timeline',
    comments: counted('Comments and tasks', tasks.filter(({ doneAt }) => doneAt === null).length),
  }
}
