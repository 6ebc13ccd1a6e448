import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import type { TSchema } from 'typebox'
import type { HttpDeps } from './deps.ts'

/** What a caller must show. Tokens are checked by the handler, as the first step of its order. */
export type Credential =
  | 'upload_token'
  | 'results_token'
  | 'workspace_token'
  | 'metrics_token'
  | 'session'
  | 'none'

export type Operation = {
  /** As the contract calls it. */
  name?: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  credential: Credential
  /** `json`: by a schema of the application's own. The handler reads it from `request.raw`, when its turn in the order of checks comes. */
  body: 'none' | 'raw' | 'json'
  /** Of a JSON body; `app/routing` judges by it. */
  bodySchema?: { properties: object }
  /** The schema of its JSON answer, by status, when nothing is refused; absent where the answer is not JSON. */
  answerSchema?: (status: number) => TSchema | undefined
  handler: (deps: HttpDeps, request: FastifyRequest, reply: FastifyReply) => unknown
  /** Operations without one are not part of the public documentation. */
  schema?: FastifySchema
}

/** Throws when the operation must not answer this with the status. */
export type JudgeAnswer = (operation: Operation, status: number, answer: unknown) => void

/** The operation, with every answer of its handler checked before it is sent. */
export function judged(operation: Operation, judgeAnswer: JudgeAnswer | undefined): Operation {
  if (judgeAnswer === undefined) return operation
  return {
    ...operation,
    handler: async (deps, request, reply) => {
      const answer = await operation.handler(deps, request, reply)
      judgeAnswer(operation, reply.statusCode, answer)
      return answer
    },
  }
}
