import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../../contract/errors.ts'
import type { HttpDeps } from '../../deps.ts'

/**
 * Refuses writes that another site started: the browser says where a request comes from. Requests without either header come from
 * no browser, and so carry no cookie to misuse. Codes: `forbidden`.
 */
export function refuseForeignOrigin(deps: HttpDeps, request: FastifyRequest): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  const isForeign =
    (origin !== undefined && origin !== new URL(deps.baseUrl).origin && !isLoopback(origin, request)) ||
    (site !== undefined && site !== 'same-origin' && site !== 'none')
  if (!isForeign) return
  throw new ServiceError('forbidden', {
    message: 'The request comes from another site. Open the application at its own address.',
  })
}

export const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** While trying the service out, the browser may use another name of this machine than the public address. */
export function isLoopback(origin: string, request: FastifyRequest): boolean {
  if (!URL.canParse(origin)) return false
  const { hostname } = new URL(origin)
  return loopbackNames.has(hostname) && origin === `${request.protocol}://${request.headers.host ?? ''}`
}
