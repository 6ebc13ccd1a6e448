import { keepPreviousData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { AdvisoryContent } from '#contract/advisories/shapes.ts'
import {
  getAdvisory,
  getAdvisorySettings,
  listAdvisories,
  listAdvisoryProducts,
  listWeaknesses,
  previewAdvisory,
} from '#contract/advisories/operations.ts'
import { call } from '../kit/api/call.ts'
import { pagesOf, queryOf } from '../kit/api/query-of.ts'

export function advisoriesQuery(slug: string) {
  return infiniteQueryOptions({
    ...pagesOf(listAdvisories, { params: { slug }, query: {} }),
    placeholderData: keepPreviousData,
  })
}

export function advisoryQuery(slug: string, advisory: string) {
  return queryOptions(queryOf(getAdvisory, { params: { slug, advisory } }))
}

/** How often a draft that is open is read again: somebody else may have saved it. */
const draftReadMs = 15_000

/** Of a page that shows it. A large draft is read again only when one returns to the window. */
export function openAdvisoryQuery(slug: string, advisory: string) {
  return queryOptions({
    ...advisoryQuery(slug, advisory),
    refetchInterval: ({ state: { data } }) => {
      const draft = data?.draft ?? null
      return draft === null || isLargeDraft(draft.content) ? false : draftReadMs
    },
  })
}

/** Above this number of statuses a draft is too large to be sent or read every few seconds. */
const manyStatuses = 2_000

export function isLargeDraft({ vulnerabilities }: AdvisoryContent): boolean {
  return vulnerabilities.reduce((sum, { statuses }) => sum + statuses.length, 0) > manyStatuses
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

/** The weaknesses a document can name; the list changes only with a release. */
export function weaknessesQuery(slug: string) {
  return queryOptions({
    ...queryOf(listWeaknesses, { params: { slug } }),
    select: ({ weaknesses }) => weaknesses,
    staleTime: Infinity,
  })
}

/** The advisory tests are loaded by the first preview; wait for them this long. */
const adviceComesMs = 3_000

const numbers = new WeakMap<AdvisoryContent, number>()
let lastNumber = 0

/** A draft of many megabytes is no query key: each content gets a number. */
function numberOf(content: AdvisoryContent): number {
  const known = numbers.get(content)
  if (known !== undefined) return known
  lastNumber += 1
  numbers.set(content, lastNumber)
  return lastNumber
}

/** What would be published from this content; the previous preview stays until the new one arrives. */
export function previewQuery(slug: string, advisory: string, content: AdvisoryContent) {
  return queryOptions({
    queryKey: ['advisory-preview', slug, advisory, numberOf(content)],
    queryFn: () => call(previewAdvisory, { params: { slug, advisory }, body: { content } }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    refetchInterval: ({ state }) => (state.data?.advice === null ? adviceComesMs : false),
  })
}
