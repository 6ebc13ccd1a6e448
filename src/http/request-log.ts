import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { redactPath } from '../platform/redact.ts'

/** The path without the query, which may contain what nobody should read in a log. */
export function pathOf({ raw }: Pick<FastifyRequest, 'raw'>): string {
  const address = raw.url ?? ''
  const end = address.indexOf('?')
  return end === -1 ? address : address.slice(0, end)
}

/** The path as it may be logged: people put tokens into addresses. */
export function loggedPath(request: Pick<FastifyRequest, 'raw'>): string {
  return redactPath(pathOf(request))
}

/** The log with the id of a request in each line. Created on first use: most requests log nothing below `info`. */
export function logOf(request: FastifyRequest): FastifyBaseLogger {
  return request.log.child({ reqId: request.id })
}
