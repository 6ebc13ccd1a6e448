import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { listAuditActors, listAuditEvents } from '../../../../src/contract/operations/audit.ts'
import type { AuditFilter } from '../../../page-search.ts'
import { pagesOf, queryOf } from '../../../api/query-of.ts'

export function auditQuery(slug: string, filter: AuditFilter) {
  return infiniteQueryOptions({
    ...pagesOf(listAuditEvents, { params: { slug }, query: filter }),
    placeholderData: keepPreviousData,
  })
}

export function auditActorsQuery(slug: string) {
  return queryOf(listAuditActors, { params: { slug } })
}
