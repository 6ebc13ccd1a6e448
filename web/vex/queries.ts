import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import {
  getVexDocument,
  listReportedFindings,
  listVexDocuments,
  listVexStatements,
} from '#contract/vex/operations.ts'
import type { VexDocumentState, VexEntryFilter } from '#contract/vex/documents.ts'
import { pagesOf, queryOf } from '../kit/api/query-of.ts'

export function familyVexQuery(slug: string, family: string, state: VexDocumentState | undefined) {
  return infiniteQueryOptions({
    ...pagesOf(listVexDocuments, { params: { slug, family }, query: { state } }),
    refetchInterval: 30_000,
  })
}

export function vexDocumentQuery(slug: string, document: string) {
  return queryOptions({ ...queryOf(getVexDocument, { params: { slug, document } }), refetchInterval: 30_000 })
}

type StatementFilter = { show: VexEntryFilter; search?: string }

export function vexStatementsQuery(slug: string, document: string, filter: StatementFilter) {
  return pagesOf(listVexStatements, { params: { slug, document }, query: filter })
}

type StatementKey = { show: VexEntryFilter; number: string }

/** One statement, by its number in the document. */
export function vexStatementQuery(slug: string, document: string, { show, number }: StatementKey) {
  return queryOptions({
    ...queryOf(listVexStatements, { params: { slug, document }, query: { show, number: Number(number) } }),
    select: ({ rows }) => rows.find((row) => String(row.number) === number) ?? null,
  })
}

/** Scanner findings of one version (its id, or `none`), or of all versions. */
export function reportedFindingsQuery(slug: string, family: string, version: string | undefined) {
  return pagesOf(listReportedFindings, { params: { slug, family }, query: { version } })
}
