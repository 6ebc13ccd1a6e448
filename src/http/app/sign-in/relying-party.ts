import type { FastifyRequest } from 'fastify'
import type { RelyingParty } from '../../../people/factors/passkeys.ts'
import type { HttpDeps } from '../../deps.ts'
import { isLoopback, loopbackNames } from '../routing/own-origin.ts'

/** Passkeys belong to the public address or, while trying the service out, to the name of this machine that the browser uses. */
export function relyingParty(deps: HttpDeps, request: FastifyRequest): RelyingParty {
  const asked = `${request.protocol}://${request.headers.host ?? ''}`
  const isTriedOut = loopbackNames.has(new URL(deps.baseUrl).hostname) && isLoopback(asked, request)
  const { hostname: id, origin } = new URL(isTriedOut ? asked : deps.baseUrl)
  return { id, origin, name: deps.serviceName }
}
