import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../contract/errors.ts'

const bearer = /^bearer +([^ ]+) *$/i

/**
 * The token of an `Authorization: Bearer` header; the scheme is compared case-insensitively. Undefined when there is none: a
 * token is never taken from anywhere else. Codes: `unauthorized`, where one was sent in another way.
 */
export function bearerToken({ headers }: FastifyRequest): string | undefined {
  const authorization = (headers.authorization ?? '').trim()
  const token = bearer.exec(authorization)?.[1]
  if (token !== undefined) return token
  if (authorization !== '')
    throw new ServiceError('unauthorized', { detail: 'Authorization is not "Bearer <token>".' })
  if (String(headers['x-api-key'] ?? '').trim() === '') return undefined
  const detail = 'X-Api-Key is not read here. Send "Authorization: Bearer <token>".'
  throw new ServiceError('unauthorized', { detail })
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
