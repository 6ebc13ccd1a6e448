import type { FastifyRequest } from 'fastify'

const bearer = /^bearer +([^ ]+) *$/i

/**
 * The token of an `Authorization: Bearer` header; the scheme is compared case-insensitively. Undefined when there is none: a
 * token is never taken from anywhere else.
 */
export function bearerToken(request: FastifyRequest): string | undefined {
  return bearer.exec(request.headers.authorization ?? '')?.[1]
}

/**
 * The token of a connector request: `Authorization` as `Bearer <token>` or the bare token, otherwise `X-Api-Key`, which does not
 * make up for a wrong `Authorization`. A blank header counts as absent: some senders cannot leave it out.
 */
export function connectorToken(request: FastifyRequest): string | undefined {
  const authorization = (request.headers.authorization ?? '').trim()
  if (authorization !== '') return bearer.exec(authorization)?.[1] ?? authorization
  const key = request.headers['x-api-key']
  return (Array.isArray(key) ? key[0] : key)?.trim()
}
