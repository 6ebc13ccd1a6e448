import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  getFamily,
  getFamilyHistory,
  listFamilies,
  listFamilyNames,
  listFamilySboms,
} from '#contract/products/operations.ts'
import type { BodyOf } from '#contract/operation.ts'
import {
  countSbomRetention,
  getSbomRetention,
  listRemovedSboms,
  type changeSbomRetention,
} from '#contract/sbom/retention-operations.ts'
import { asked } from '../kit/address/search.ts'
import { pagesOf, queryOf } from '../kit/api/query-of.ts'
import type { FamiliesSearch } from './area.ts'

export type FamilyFilter = Pick<FamiliesSearch, 'archived' | 'search' | 'sort'>

export function familiesQuery(slug: string, filter: FamilyFilter) {
  return infiniteQueryOptions({
    ...pagesOf(listFamilies, { params: { slug }, query: asked(filter) }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  })
}

/** Every family in use, for a choice. */
export function familyNamesQuery(slug: string) {
  return queryOptions({
    ...queryOf(listFamilyNames, { params: { slug } }),
    select: ({ families }) => families,
    refetchInterval: 30_000,
  })
}

export function familyQuery(slug: string, family: string) {
  return queryOptions({ ...queryOf(getFamily, { params: { slug, family } }), refetchInterval: 30_000 })
}

const untilFirstUploadMs = 3_000
const afterFirstUploadMs = 30_000

/** The SBOM history of a family; polled until the first upload arrives. */
export function familySbomsQuery(slug: string, family: string) {
  return infiniteQueryOptions({
    ...pagesOf(listFamilySboms, { params: { slug, family } }),
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.total === 0 ? untilFirstUploadMs : afterFirstUploadMs,
  })
}

export function familyHistoryQuery(slug: string, family: string) {
  return queryOptions({
    ...queryOf(getFamilyHistory, { params: { slug, family } }),
    select: ({ days }) => days,
  })
}

export function sbomRetentionQuery(slug: string, family: string) {
  return queryOptions(queryOf(getSbomRetention, { params: { slug, family } }))
}

/** What a setting would remove now. */
export function sbomRetentionCountQuery(
  slug: string,
  family: string,
  { keep, amount, isCraLifted }: BodyOf<typeof changeSbomRetention>,
) {
  const query = {
    keep,
    ...(amount === null ? {} : { amount }),
    ...(isCraLifted ? { cra: 'lifted' as const } : {}),
  }
  return queryOptions(queryOf(countSbomRetention, { params: { slug, family }, query }))
}

export function removedSbomsQuery(slug: string, family: string) {
  return infiniteQueryOptions(pagesOf(listRemovedSboms, { params: { slug, family } }))
}
