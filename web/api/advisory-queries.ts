import { keepPreviousData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { AdvisoryContent } from '../../src/contract/advisories.ts'
import {
  getAdvisory,
  getAdvisorySettings,
  listAdvisories,
  listAdvisoryProducts,
  previewAdvisory,
} from '../../src/contract/operations/advisories.ts'
import { call } from './call.ts'
import { pagesOf, queryOf } from './query-of.ts'

export function advisoriesQuery(slug: string) {
  return infiniteQueryOptions({
    ...pagesOf(listAdvisories, { params: { slug }, query: {} }),
    placeholderData: keepPreviousData,
  })
}

export function advisoryQuery(slug: string, advisory: string) {
  return queryOptions(queryOf(getAdvisory, { params: { slug, advisory } }))
}

export function advisoryProductsQuery(slug: string) {
  return queryOptions({
    ...queryOf(listAdvisoryProducts, { params: { slug } }),
    select: ({ families }) => families,
  })
}

export function advisorySettingsQuery(slug: string) {
  return queryOptions(queryOf(getAdvisorySettings, { params: { slug } }))
}

/** What would be published of this content; the one before stays until it is there. */
export function previewQuery(slug: string, advisory: string, content: AdvisoryContent) {
  return queryOptions({
    queryKey: ['advisory-preview', slug, advisory, content],
    queryFn: () => call(previewAdvisory, { params: { slug, advisory }, body: { content } }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
}
