import { useQuery } from '@tanstack/react-query'
import type { IncidentDetail, ReportSummary } from '#contract/incidents/shapes.ts'
import type { SameReport } from '#contract/incidents/waiting.ts'
import { sameReportsQuery } from '../queries.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'

type ReportOfIncident = { incident: Pick<IncidentDetail, 'id'>; report: ReportSummary }

/** The same report of other open incidents on the vulnerability; empty until loaded. */
export function useSameReports({ incident, report }: ReportOfIncident): readonly SameReport[] {
  const { slug } = useWorkspace()
  const same = useQuery(sameReportsQuery({ slug, incident: incident.id, report: report.id }))
  return same.data ?? []
}

/** Those that can take the same submission: a first one where none is recorded, a further one where one is. */
export function useSameToFile(place: ReportOfIncident): readonly SameReport[] {
  const isFiled = place.report.submittedAt !== null
  return useSameReports(place).filter(({ submittedAt }) => (submittedAt !== null) === isFiled)
}
