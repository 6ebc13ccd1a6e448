import type { FastifyRequest } from 'fastify'
import type { RelyingParty } from '../../../workspace/people/factors/passkeys.ts'
import type { HttpDeps } from '../../deps.ts'
import { isLoopback } from '../routing/own-origin.ts'

/** Passkeys are of the public address; while trying the service out, of the name of this machine that the browser uses. */
export function relyingParty(deps: HttpDeps, request: FastifyRequest): RelyingParty {
  const { origin } = request.headers
  const isOther = origin !== undefined && isLoopback(origin, request)
  const { hostname: id, origin: own } = new URL(isOther ? origin : deps.baseUrl)
  return { id, origin: own, name: deps.serviceName }
}
