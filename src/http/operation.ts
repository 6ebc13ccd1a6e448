import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import type { HttpDeps } from './deps.ts'

/** What a caller must show. Tokens are checked by the handler, as the first step of its order. */
export type Credential =
  'upload_token' | 'results_token' | 'workspace_token' | 'metrics_token' | 'session' | 'none'

export type Operation = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  credential: Credential
  /** `json`: by a schema of the application's own. The handler reads it from `request.raw`, when its turn in the order of checks comes. */
  body: 'none' | 'raw' | 'json'
  /** Of a JSON body; `app/routing` judges by it. */
  bodySchema?: { properties: object }
  handler: (deps: HttpDeps, request: FastifyRequest, reply: FastifyReply) => unknown
  /** Operations without one are not part of the public documentation. */
  schema?: FastifySchema
}
