import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { DeliveryRow, DestinationKind } from '#contract/alerts/shapes.ts'
import {
  checkDestinationUrl,
  getDelivery,
  listDeliveries,
  listDeliveryProblems,
  listDestinations,
} from '#contract/alerts/operations.ts'
import { pagesOf, queryOf } from '../../kit/api/query-of.ts'

const refreshMs = 15_000

export function destinationsQuery(slug: string) {
  return queryOptions({ ...queryOf(listDestinations, { params: { slug } }), refetchInterval: refreshMs })
}

/** What was sent to a destination, the newest first. */
export function deliveriesQuery(slug: string, destination: string) {
  return queryOptions({
    ...queryOf(listDeliveries, { params: { slug, destination } }),
    select: ({ deliveries }) => deliveries,
    refetchInterval: refreshMs,
  })
}

export function problemsQuery(slug: string, destination: string | undefined) {
  return infiniteQueryOptions({
    ...pagesOf(listDeliveryProblems, { params: { slug }, query: { destination } }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })
}

export function isUnderWay({ state }: Pick<DeliveryRow, 'state'>): boolean {
  return state === 'pending' || state === 'sending'
}

const oftenMs = 400
const seldomMs = 3_000
/** A post takes at most five seconds; a longer wait means others are ahead. */
const lookedOften = 25

/** One delivery; polled until its result is known. */
export function deliveryQuery(slug: string, delivery: string) {
  return queryOptions({
    ...queryOf(getDelivery, { params: { slug, delivery } }),
    refetchInterval: ({ state }) => {
      if (state.data !== undefined && !isUnderWay(state.data)) return false
      return state.dataUpdateCount < lookedOften ? oftenMs : seldomMs
    },
  })
}

/** Problems of a URL while it is typed. The URL is a secret, so answers are not cached. */
export function urlCheckQuery(slug: string, kind: DestinationKind, url: string) {
  return queryOptions({
    ...queryOf(checkDestinationUrl, { params: { slug }, body: { kind, url } }),
    select: ({ problem }) => problem,
    placeholderData: keepPreviousData,
    staleTime: 'static',
    gcTime: 0,
  })
}
