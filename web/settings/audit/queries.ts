import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { getAuditEvent, listAuditActors, listAuditEvents } from '#contract/audit/operations.ts'
import type { AuditFilter } from '../area.ts'
import { pagesOf, queryOf } from '../../kit/api/query-of.ts'

export function auditQuery(slug: string, filter: AuditFilter) {
  return infiniteQueryOptions({
    ...pagesOf(listAuditEvents, { params: { slug }, query: filter }),
    placeholderData: keepPreviousData,
  })
}

/** An event outside the loaded rows. */
export function auditEventQuery(slug: string, event: string) {
  return queryOf(getAuditEvent, { params: { slug, event } })
}

export function auditActorsQuery(slug: string) {
  return queryOf(listAuditActors, { params: { slug } })
}
