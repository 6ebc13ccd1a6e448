import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OperatorSession } from '../../workspace/operator/operator-session.ts'
import type { HttpDeps } from '../deps.ts'
import type { OperatorSettings } from './operator-settings.ts'

/** A request of a signed-in operator. */
export type Operating = {
  deps: HttpDeps
  settings: OperatorSettings
  request: FastifyRequest
  reply: FastifyReply
  session: OperatorSession
  /** Goes into every form of a page. */
  formToken: string
  now: Date
}
