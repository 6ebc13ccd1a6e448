import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import type { HttpDeps } from '../deps.ts'
import type { Operation } from '../operation.ts'
import { refuseForeignOrigin } from './own-origin.ts'

export type AppOperation = Operation

type Handler = (deps: HttpDeps, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** A row of the application's interface that changes nothing. */
export function read(path: string, handler: Handler): AppOperation {
  return { method: 'GET', url: `/api/app${path}`, credential: 'session', body: 'none', handler }
}

/** A row that acts: never on behalf of another site. With `body` the JSON is checked before the handler. */
export function write(
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  handler: Handler,
  body?: TObject,
): AppOperation {
  return {
    method,
    url: `/api/app${path}`,
    credential: 'session',
    body: body === undefined ? 'none' : 'json',
    ...(body === undefined ? {} : { schema: { hide: true, body } }),
    handler: async (deps, request, reply) => {
      refuseForeignOrigin(deps, request)
      return handler(deps, request, reply)
    },
  }
}
