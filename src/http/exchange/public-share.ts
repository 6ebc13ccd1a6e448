import type { FastifyReply, FastifyRequest } from 'fastify'
import { discloseRoot } from '../../disclosure-site/page-frame.ts'
import { takePublicPlace, workInPublicPlace } from '../../disclosure-site/public-share.ts'
import { clientAddress } from '../client-address.ts'
import type { HttpDeps } from '../deps.ts'
import { badgeRoot } from '../disclose/register-badges.ts'
import { pathOf } from '../request-log.ts'

type Asking = { deps: Pick<HttpDeps, 'publicPages'>; request: FastifyRequest }

/**
 * By its route, as what is percent-encoded without need leads there as well, or by its path where there is no such page. A form takes its place once
 * its body is there, as a slow sender keeps none.
 */
export function isForPublicPage(request: FastifyRequest): boolean {
  if (request.method === 'POST') return false
  const places = [request.routeOptions.url ?? '', pathOf(request)]
  return places.some((place) => place.startsWith(discloseRoot) || place.startsWith(badgeRoot))
}

/** Given back by the caller, or when the client has gone. Codes: `rate_limited`. */
export async function holdPublicPlace({ deps, request }: Asking, { raw }: FastifyReply): Promise<() => void> {
  const giveBack = await takePublicPlace(deps.publicPages, strangerOf(request))
  raw.once('close', giveBack)
  // it may have gone while it waited
  if (raw.closed || request.raw.socket.destroyed) giveBack()
  return giveBack
}

/** Codes: `rate_limited`, and those of the work. */
export function inPublicShare<T>({ deps, request }: Asking, work: () => Promise<T>): Promise<T> {
  return workInPublicPlace(deps.publicPages, strangerOf(request), work)
}

function strangerOf(request: FastifyRequest) {
  return { address: clientAddress(request), connection: request.raw.socket }
}
