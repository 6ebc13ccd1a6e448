import { linkOptions } from '@tanstack/react-router'
import { listIncidents, listReview, listSuppressed } from '#contract/incidents/operations.ts'
import { filterIn, oneOf, present, text, type Filter, type Raw } from '../kit/address/search.ts'

export type IncidentFilter = Filter<typeof listIncidents>
/** `malware`: the finding that prefills the dialog. */
export type IncidentsSearch = IncidentFilter & { dialog?: 'open'; malware?: string }
export type ReviewSearch = Filter<typeof listReview>
export type SuppressedSearch = Filter<typeof listSuppressed>

export function incidentsSearch(raw: Raw): IncidentsSearch {
  return {
    ...filterIn(raw, listIncidents),
    ...present({ dialog: oneOf(raw['dialog'], ['open']), malware: text(raw['malware']) }),
  }
}

export function reviewSearch(raw: Raw): ReviewSearch {
  return filterIn(raw, listReview)
}

export function suppressedSearch(raw: Raw): SuppressedSearch {
  return filterIn(raw, listSuppressed)
}

export const incidentTabs = ['affected', 'drafts', 'submissions', 'timeline', 'comments'] as const
export type IncidentTab = (typeof incidentTabs)[number]
export type IncidentSearch = {
  tab?: IncidentTab
  /** The report whose draft is open. */
  report?: string
}

export function incidentSearch(raw: Raw): IncidentSearch {
  return present({ tab: oneOf(raw['tab'], incidentTabs), report: text(raw['report']) })
}

export const incidentPages = {
  incidents: (slug: string, search: IncidentsSearch = {}) =>
    linkOptions({ to: '/$slug/incidents', params: { slug }, search }),
  incident: (slug: string, incident: string, search: IncidentSearch = {}) =>
    linkOptions({ to: '/$slug/incidents/$incident', params: { slug, incident }, search }),
  review: (slug: string, search: ReviewSearch = {}) =>
    linkOptions({ to: '/$slug/review', params: { slug }, search }),
  suppressed: (slug: string, search: SuppressedSearch = {}) =>
    linkOptions({ to: '/$slug/suppressed', params: { slug }, search }),
}
