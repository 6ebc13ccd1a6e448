import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode } from '../contract/errors.ts'
import { answerFor, type ErrorAnswer } from './errors.ts'
import { loggedPath, logOf, pathOf } from './request-log.ts'

const realm = 'Bearer realm="sbom-monitor"'
/** Refusals in the middle of a body. */
const givenUp = new Set<ErrorCode>(['too_large', 'timeout', 'internal'])
/** How long the rest of such a body may keep coming before the connection is cut. */
const drainMs = 5_000

/** Answers an error of any kind: under /api in the contract's shape, elsewhere as text. Defects are logged here. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const answer = answerFor(error)
  if (answer.isDefect) logOf(request).error({ err: error, path: loggedPath(request) }, 'request failed')
  setErrorHeaders(answer, request, reply)
  const isApi = isApiPath(pathOf(request))
  const text = isApi ? JSON.stringify(answer.body) : plainText(answer)
  reply
    .status(answer.status)
    .header('cache-control', 'no-store')
    .type(isApi ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8')
  const isGivenUp = givenUp.has(answer.body.error) || !reply.raw.shouldKeepAlive
  if (isGivenUp && isArriving(request)) sendAndDrain(text, request, reply)
  else reply.send(text)
}

/** Whether a body is still to come. On a connection that stays open Node discards it by itself. */
function isArriving({ raw, headers }: FastifyRequest): boolean {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  return hasBody && !raw.complete
}

/** With the slashes that an address given with one at its end leads to, too. */
export function isApiPath(path: string): boolean {
  return /^\/+api(?:\/|$)/.test(path)
}

function plainText({ body }: ErrorAnswer): string {
  return body.error === 'not_found' ? 'Not found' : body.message
}

function setErrorHeaders(answer: ErrorAnswer, request: FastifyRequest, reply: FastifyReply): void {
  if (answer.retryAfterSeconds !== undefined) reply.header('retry-after', String(answer.retryAfterSeconds))
  if (answer.body.error !== 'unauthorized') return
  // RFC 6750, 3: the error attribute only when a token was given; a blank header gives none.
  const given = [request.headers.authorization, request.headers['x-api-key']]
  const isGiven = given.some((value) => String(value ?? '').trim() !== '')
  reply.header('www-authenticate', isGiven ? `${realm}, error="invalid_token"` : realm)
}

/**
 * Answers while the body is still arriving: a connection closed at once would be reset before the client has read why. The
 * answer announces its length, the rest of the body is discarded for a moment, then the connection closes.
 */
export function sendAndDrain(text: string, request: FastifyRequest, reply: FastifyReply): void {
  reply
    .header('connection', 'close')
    .header('content-length', String(Buffer.byteLength(text)))
    .send(Readable.from(textThenDrain(text, request.raw)))
}

async function* textThenDrain(text: string, request: IncomingMessage): AsyncGenerator<string> {
  yield text
  if (request.complete || request.destroyed) return
  const ended = new AbortController()
  const gone = once(request, 'close', { signal: ended.signal }).catch(ignoreAbort)
  request.resume()
  await Promise.race([gone, sleep(drainMs, undefined, { signal: ended.signal }).catch(ignoreAbort)])
  ended.abort()
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === 'AbortError')) throw error
}
