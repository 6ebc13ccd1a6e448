import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../contract/errors.ts'
import { bearerToken } from './credentials.ts'
import type { HttpDeps } from './deps.ts'

/** `GET /metrics` on the public port, for bearers of the metrics token; it does not exist where none is configured. */
export async function getMetrics(
  deps: HttpDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  if (deps.metricsToken === null) throw new ServiceError('not_found')
  if (!isSame(bearerToken(request) ?? '', deps.metricsToken)) throw new ServiceError('unauthorized')
  reply.type(deps.metrics.registry.contentType).header('cache-control', 'no-store')
  return deps.metrics.registry.metrics()
}

function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'))
}
