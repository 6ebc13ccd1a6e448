import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { ServiceError } from '../contract/errors.ts'
import { answerFor } from './errors.ts'

type Exchange = {
  request: IncomingMessage
  answer: ServerResponse
  /** The connection ends with it. */
  isLast: boolean
}

/** The last request of each connection; answers are sent in the order of the requests. */
const lastExchanges = new WeakMap<Duplex, Exchange>()

/** What a connection was told that ends in the middle of a request. */
const lastWords = new WeakMap<Duplex, number>()
/** As nginx writes it where the client has hung up: no answer was sent. */
const clientClosedRequest = 499

/** The status of a request that was never answered in full: what its connection was told at the end, else 499. */
export function statusOfCutOff({ socket }: Pick<IncomingMessage, 'socket'>): number {
  return lastWords.get(socket) ?? clientClosedRequest
}

/** Has the server's connections remember what is being answered on them. */
export function watchExchanges(server: Pick<Server, 'on'>): void {
  server.on('request', (request, answer) => {
    lastExchanges.set(request.socket, { request, answer, isLast: false })
  })
}

/** How long a client may take nothing of an answer that is there for it. */
export const stalledAnswerMs = 30_000

/**
 * Ends connections whose client has read nothing of its answer for this long; one that waits for an answer keeps waiting. Node asks here also of
 * connections that have been idle for as long as they are kept.
 */
export function endStalledAnswers(server: Server, afterMs: number): void {
  server.setTimeout(afterMs, (socket) => {
    if (socket.writableLength > 0 || openExchange(socket) === undefined) socket.destroy()
    else socket.setTimeout(afterMs)
  })
}

/** A client that has stopped sending may still read: what it has asked for in full is answered. */
export function answerHalfClosed(server: Server): void {
  Object.assign(server, { httpAllowHalfOpen: true })
}

/**
 * Answers a request that never became one: broken syntax, headers too large, or too slow. An answer to a request before it goes out whole
 * first: written into the middle of it, this one would be taken for a part of it, or for it.
 */
export function answerClientError(error: Error, socket: Duplex): void {
  if (!socket.writable || ('code' in error && error.code === 'ECONNRESET')) {
    socket.destroy()
    return
  }
  const open = openExchange(socket)
  if (open === undefined || (isBrokenItself(open) && open.answer.socket === socket)) refuse(error, socket)
  else if (!open.isLast) {
    // more of what cannot be read may follow
    open.isLast = true
    open.answer.once('close', () => socket.destroy())
  }
}

/**
 * Nobody is led on to anybody from here: a tunnel is refused, after the answers before it. Node leaves such a connection to whoever listens, with
 * all that watches over it.
 */
export function answerConnect(server: Server, stalledMs: number): void {
  server.on('connect', (_request, socket) => {
    socket.on('error', () => socket.destroy())
    if ('setTimeout' in socket) (socket as Socket).setTimeout(stalledMs, () => socket.destroy())
    const refuseTunnel = () => {
      if (socket.writable) refuse(new ServiceError('method_not_allowed'), socket, ['allow: '])
    }
    const open = openExchange(socket)
    if (open === undefined) refuseTunnel()
    else open.answer.once('close', refuseTunnel)
  })
}

function openExchange(socket: Duplex): Exchange | undefined {
  const last = lastExchanges.get(socket)
  return last === undefined || last.answer.writableFinished ? undefined : last
}

/** Its body is what cannot be read, and nothing is answered yet. */
function isBrokenItself({ request, answer }: Exchange): boolean {
  return !request.complete && !answer.headersSent
}

function refuse(error: Error, socket: Duplex, headers: readonly string[] = []): void {
  const isTimeout = 'code' in error && error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const { status, body } = answerFor(Object.assign(error, isTimeout ? {} : { statusCode: 400 }))
  lastWords.set(socket, status)
  const text = JSON.stringify(body)
  const head = [
    `HTTP/1.1 ${status} ${body.error}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    'cache-control: no-store',
    'connection: close',
    ...headers,
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy())
}
