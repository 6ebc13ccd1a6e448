import type { FastifyReply, FastifyRequest } from 'fastify'
import { isStoreAway } from '../../platform/postgres/store-away.ts'
import { answerError } from '../answer-error.ts'
import { logOf } from '../request-log.ts'

const retryAfterSeconds = 5

/** Below `/csaf`: 503 while the store is away, because readers take a 404 for a withdrawal. */
export function answerFeedError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (!isStoreAway(error)) {
    answerError(error, request, reply)
    return
  }
  logOf(request).error({ err: error }, 'the feed cannot be read')
  reply
    .status(503)
    .headers({ 'retry-after': String(retryAfterSeconds), 'cache-control': 'no-store' })
    .type('text/plain; charset=utf-8')
    .send('The feed cannot be read at the moment.')
}
