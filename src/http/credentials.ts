import type { FastifyRequest } from 'fastify'

const bearer = /^bearer +([^ ]+) *$/i

/**
 * The token of an `Authorization: Bearer` header; the scheme word is compared without regard to case. Undefined when there is
 * none: a token is never taken from anywhere else.
 */
export function bearerToken(request: FastifyRequest): string | undefined {
  return bearer.exec(request.headers.authorization ?? '')?.[1]
}
