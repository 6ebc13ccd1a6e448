import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
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

/** What a connection was told that ended in the middle of a request. */
const lastWords = new WeakMap<Duplex, number>()
/** nginx's code for a client that hung up: no answer was sent. */
const clientClosedRequest = 499

/** The status of a request that was never answered in full: what its connection was told at the end, else 499. */
export function statusOfCutOff({ socket }: Pick<IncomingMessage, 'socket'>): number {
  return lastWords.get(socket) ?? clientClosedRequest
}

/** Makes the server's connections remember which requests are being answered. */
export function watchExchanges(server: Pick<Server, 'on'>): void {
  server.on('request', (request, answer) => {
    lastExchanges.set(request.socket, { request, answer, isLast: false })
  })
}

/** How long a client may read nothing of a waiting answer. */
export const stalledAnswerMs = 30_000

/**
 * Closes connections whose client has read nothing of its answer for this long; clients that wait for an answer may go on waiting. Node also
 * calls this for connections at the end of their keep-alive time.
 */
export function endStalledAnswers(server: Server, afterMs: number): void {
  server.setTimeout(afterMs, (socket) => {
    if (socket.writableLength > 0 || openExchange(socket) === undefined) socket.destroy()
    else socket.setTimeout(afterMs)
  })
}

/** A client that has stopped sending may still read: its complete requests are answered. Node's servers for TLS ask for both. */
export function answerHalfClosed(server: Server): void {
  Object.assign(server, { httpAllowHalfOpen: true, allowHalfOpen: true })
}

/**
 * Answers a request that never became one: broken syntax, headers too large, or too slow. One that has its answer already gets no second.
 * The answer to an earlier request goes out completely first: written into its middle, this one would be taken for a part of it, or for
 * that answer.
 */
export function answerClientError(error: Error, socket: Duplex): void {
  if (!socket.writable || ('code' in error && error.code === 'ECONNRESET')) {
    socket.destroy()
    return
  }
  const open = openExchange(socket)
  if (open === undefined && isAnswered(lastExchanges.get(socket))) socket.end(() => socket.destroy())
  else if (open === undefined || (isBrokenItself(open) && open.answer.socket === socket))
    refuse(error, socket)
  else if (!open.isLast) {
    // more unreadable bytes may follow
    open.isLast = true
    open.answer.once('close', () => socket.destroy())
  }
}

/**
 * This is no proxy: a tunnel is refused, after the answers before it. Node hands such a connection to the listener, including its supervision.
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

/** The rest of its body is unreadable or never came, and it has its answer: a second one would be taken for that of another request. */
function isAnswered(last: Exchange | undefined): boolean {
  return last !== undefined && !last.request.complete && last.answer.writableFinished
}

/** Its body is unreadable, and nothing has been answered yet. */
function isBrokenItself({ request, answer }: Exchange): boolean {
  return !request.complete && !answer.headersSent
}

function refuse(error: Error, socket: Duplex, headers: readonly string[] = []): void {
  const isTimeout = 'code' in error && error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const { status, body } = answerFor(Object.assign(error, isTimeout ? {} : { statusCode: 400 }))
  lastWords.set(socket, status)
  const text = JSON.stringify(body)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    'connection: close',
    ...headers,
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy())
}
