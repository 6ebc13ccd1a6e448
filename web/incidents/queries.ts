import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { getDraft, listSameReports } from '#contract/incidents/report-operations.ts'
import {
  getDraftForm,
  getIncident,
  getIncidentOverview,
  listIncidentEntries,
  listIncidentPeople,
  listIncidents,
  listReview,
  listSuppressed,
} from '#contract/incidents/operations.ts'
import type { IncidentFilter, ReviewSearch, SuppressedSearch } from './area.ts'
import { pagesOf, queryOf } from '../kit/api/query-of.ts'

const refreshMs = 30_000

export function incidentsQuery(slug: string, filter: IncidentFilter) {
  return infiniteQueryOptions({
    ...pagesOf(listIncidents, { params: { slug }, query: filter }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })
}

/** The incidents of a vulnerability or a family, for their pages. */
export function relatedIncidentsQuery(slug: string, about: { vulnerability?: string; family?: string }) {
  return queryOf(listIncidents, { params: { slug }, query: { status: 'all', ...about } })
}

/** Incidents to choose from; `search`: a reference, a title or a vulnerability. */
export function foundIncidentsQuery(slug: string, search: string) {
  const query = { status: 'all', ...(search === '' ? {} : { search }) } as const
  return queryOptions({
    ...queryOf(listIncidents, { params: { slug }, query }),
    placeholderData: keepPreviousData,
  })
}

/** Always refetched when the page opens: a stale "nothing is due" would be believed. */
export function overviewQuery(slug: string) {
  return queryOptions({
    ...queryOf(getIncidentOverview, { params: { slug } }),
    staleTime: 0,
    refetchInterval: refreshMs,
  })
}

export function incidentQuery(slug: string, incident: string) {
  return queryOptions({ ...queryOf(getIncident, { params: { slug, incident } }), refetchInterval: refreshMs })
}

export function entriesQuery(slug: string, incident: string) {
  return infiniteQueryOptions({
    ...pagesOf(listIncidentEntries, { params: { slug, incident } }),
    refetchInterval: refreshMs,
  })
}

/** Possible assignees of an incident. */
export function incidentPeopleQuery(slug: string) {
  return queryOptions({
    ...queryOf(listIncidentPeople, { params: { slug } }),
    select: ({ people }) => people,
    staleTime: 60_000,
  })
}

export function reviewQuery(slug: string, filter: ReviewSearch) {
  return infiniteQueryOptions({
    ...pagesOf(listReview, { params: { slug }, query: filter }),
    placeholderData: keepPreviousData,
  })
}

export function suppressedQuery(slug: string, filter: SuppressedSearch) {
  return infiniteQueryOptions({
    ...pagesOf(listSuppressed, { params: { slug }, query: filter }),
    placeholderData: keepPreviousData,
  })
}

/** A draft, by its report. */
export type DraftKey = { slug: string; incident: string; report: string }

/** A draft is not replaced while somebody is editing it. */
export function draftQuery(place: DraftKey) {
  return queryOptions({ ...queryOf(getDraft, { params: place }), refetchOnWindowFocus: false })
}

/** As often as a page alone in a draft asks whether somebody saved it. */
const readMs = 10_000

/** For those who may only read the draft: they note no presence, which would tell of newer text. */
export function readDraftQuery(place: DraftKey) {
  return queryOptions({
    ...draftQuery(place),
    refetchOnWindowFocus: 'always' as const,
    refetchInterval: readMs,
  })
}

export function draftFormQuery(place: DraftKey) {
  return queryOf(getDraftForm, { params: place })
}

/** The same report of other open incidents on the vulnerability. */
export function sameReportsQuery(place: DraftKey) {
  return queryOptions({
    ...queryOf(listSameReports, { params: place }),
    select: ({ reports }) => reports,
    staleTime: 0,
  })
}
