import { Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { IncidentDetail } from '#contract/incidents/shapes.ts'
import { incidentQuery } from '../queries.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { incidentTabs, type IncidentTab } from '../area.ts'
import { pages } from '../../areas.ts'
import { ExploitedChips } from '../../findings/ExploitedChip.tsx'
import { DrillChip, IncidentStatusChip } from '../incident-marks.tsx'
import { PageHeader } from '../../kit/page/PageHeader.tsx'
import { showOpenTab } from '../../kit/page/PageTabs.tsx'
import { formatCount } from '../../kit/text/format.ts'
import { DraftsTab } from '../drafts/DraftsTab.tsx'
import { OutcomePlace } from '../several/OutcomePlace.tsx'
import { AffectedTab } from './AffectedTab.tsx'
import { ClockRows } from './ClockRows.tsx'
import { CommentsTab } from './CommentsTab.tsx'
import { DeterminationPanel } from './DeterminationPanel.tsx'
import { FlawCards } from './FlawCards.tsx'
import { IncidentActions } from './acts/IncidentActions.tsx'
import { IncidentFacts } from './IncidentFacts.tsx'
import { InformedCards } from './InformedCards.tsx'
import { TakeIncident } from './TakeIncident.tsx'
import { SubmissionsTab } from './SubmissionsTab.tsx'
import { TimelineTab } from './TimelineTab.tsx'
import type { Crumb } from '../../kit/page/Crumbs.tsx'
import { Loaded } from '../../kit/page/Loaded.tsx'

/** One incident: deadlines, decisions, submissions and what it is about. */
export default function IncidentPage(): ReactNode {
  const { incident: id } = useParams({ from: '/signed-in/$slug/incidents/$incident' })
  const { slug } = useWorkspace()
  return (
    <Loaded
      query={useQuery(incidentQuery(slug, id))}
      head={<PageHeader title="Incident" crumbs={crumbsTo(slug)} />}
    >
      {(incident) => <Incident incident={incident} />}
    </Loaded>
  )
}

function crumbsTo(slug: string): Crumb[] {
  return [{ name: 'Incidents', link: pages.incidents(slug) }]
}

function Incident({ incident }: { incident: IncidentDetail }): ReactNode {
  const { slug } = useWorkspace()
  const { reference, title, status, isExercise, listedBy } = incident
  return (
    <OutcomePlace>
      <PageHeader
        title={`${reference} ${title}`}
        crumbs={crumbsTo(slug)}
        status={
          <>
            <IncidentStatusChip status={status} />
            {isExercise ? <DrillChip /> : null}
            <ExploitedChips catalogues={listedBy} />
          </>
        }
        actions={<IncidentActions incident={incident} />}
      />
      <TakeIncident incident={incident} />
      <IncidentFacts incident={incident} />
      <ClockRows incident={incident} />
      <FlawCards flaw={incident.flaw} />
      <DeterminationPanel incident={incident} />
      <InformedCards incident={incident} />
      <IncidentTabs incident={incident} />
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
