import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { IncidentDetail, ReportSummary } from '#contract/incidents/shapes.ts'
import { saveDraft } from '#contract/incidents/report-operations.ts'
import { draftFormQuery, draftQuery, readDraftQuery } from '../queries.ts'
import { reportingRefusal } from '../../workspaces/access.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { pages } from '../../areas.ts'
import { reportName } from '../words.ts'
import { Empty } from '../../kit/page/Empty.tsx'
import { WeekendRule } from '../incident/WeekendRule.tsx'
import { DraftEditor } from './DraftEditor.tsx'
import { KeptPlaces } from './KeptPlaces.tsx'
import { both, Loaded } from '../../kit/page/Loaded.tsx'

type Props = { incident: IncidentDetail }

/** A draft for each stage, with the fields of the authority's form. */
export function DraftsTab({ incident }: Props): ReactNode {
  const { slug } = useWorkspace()
  const { report: asked } = useSearch({ from: '/signed-in/$slug/incidents/$incident' })
  const navigate = useNavigate()
  const reports = incident.reports.filter(({ cycle }) => cycle === incident.cycle)
  const report = reports.find(({ id }) => id === asked) ?? nextOf(reports)
  if (report === undefined) return <Empty why="No regime asks for a report on this incident." />
  return (
    <>
      <NativeSelect
        label="Report"
        mb="md"
        maw={420}
        value={report.id}
        data={reports.map(({ id, regime, report: stage }) => ({
          value: id,
          label: reportName({ regime, report: stage }),
        }))}
        onChange={({ currentTarget }) => {
          const search = { tab: 'drafts', report: currentTarget.value } as const
          void navigate({ ...pages.incident(slug, incident.id, search), replace: true, resetScroll: false })
        }}
      />
      <ReportDraft key={report.id} incident={incident} report={report} />
    </>
  )
}

/** The first report not yet filed. */
function nextOf(reports: readonly ReportSummary[]): ReportSummary | undefined {
  return reports.find(({ status }) => ['overdue', 'due_soon', 'open'].includes(status)) ?? reports[0]
}

function ReportDraft({ incident, report }: Props & { report: ReportSummary }): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const place = { slug, incident: incident.id, report: report.id }
  const isReader = reportingRefusal(workspace, saveDraft.permission) !== undefined
  const draft = useQuery(isReader ? readDraftQuery(place) : draftQuery(place))
  const form = useQuery(draftFormQuery(place))
  return (
    <Loaded query={both(draft, form)}>
      {([written, { form: fields, previous }]) => (
        <>
          <WeekendRule report={report} timeZone={incident.timeZone} />
          <KeptPlaces regime={report.regime} families={incident.families} />
          <DraftEditor
            incident={incident}
            report={report}
            draft={written}
            form={fields}
            previous={previous}
            onReload={async () => (await draft.refetch()).data}
          />
        </>
      )}
    </Loaded>
  )
}
