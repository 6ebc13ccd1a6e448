import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Rounds } from './rounds.ts'

type Exchange = [request: IncomingMessage, response: ServerResponse]

type TurnBounds = {
  /** Waiting on one connection: more than any client sends at once. */
  onOne: number
  /** Waiting on all connections together; each takes some 4 kB. */
  onAll: number
}

const bounds: TurnBounds = { onOne: 100, onAll: 4_000 }

/**
 * Answers the requests of a connection one after the other. Node hands over all pipelined requests at once (RFC 9112, 9.3.2): thousands of them
 * would keep everybody else waiting. Between two, others get their turn; requests of a client that has gone are dropped. A connection with too
 * many waiting is closed and, while too many wait in total, the one with the most: a client must be ready to resend what was not answered (RFC
 * 9112, 9.3.2). Many connections are no more than one: clients begin in turn, whatever each has sent.
 */
export function inTurn(listener: RequestListener): RequestListener {
  const lines = new WaitingLines(listener)
  return (request, response) => lines.take([request, response])
}

class WaitingLines {
  readonly #listener: RequestListener
  /** Connections on which a request is being answered. */
  readonly #busy = new WeakSet<Socket>()
  /** What waits behind it. */
  readonly #waiting = new Map<Socket, Exchange[]>()
  #count = 0
  readonly #rounds = new Rounds()

  constructor(listener: RequestListener) {
    this.#listener = listener
  }

  take(exchange: Exchange): void {
    const [{ socket }] = exchange
    if (socket.destroyed) return
    if (!this.#busy.has(socket)) {
      this.#busy.add(socket)
      this.#rounds.enter(() => this.#goOn(socket, exchange), clientOf(exchange))
      return
    }
    const before = this.#waiting.get(socket)
    if (before === undefined) this.#waiting.set(socket, [exchange])
    else before.push(exchange)
    this.#count += 1
    if (before !== undefined && before.length > bounds.onOne) this.#end(socket)
    else if (this.#count > bounds.onAll) this.#end(this.#longest(socket))
  }

  #begin(exchange: Exchange): void {
    const [request, response] = exchange
    const { socket } = request
    response.once('close', () => {
      if (this.#waiting.has(socket)) this.#rounds.add(() => this.#goOn(socket), clientOf(exchange))
      else this.#busy.delete(socket)
    })
    this.#listener(request, response)
  }

  /** `first`: nothing on the connection is before it. */
  #goOn(socket: Socket, first?: Exchange): void {
    const waiting = this.#waiting.get(socket)
    const next = socket.destroyed ? undefined : (first ?? waiting?.shift())
    if (next === undefined || waiting?.length === 0) this.#waiting.delete(socket)
    if (next === undefined) {
      this.#count -= waiting?.length ?? 0
      this.#busy.delete(socket)
      return
    }
    if (first === undefined) this.#count -= 1
    this.#begin(next)
  }

  #end(socket: Socket): void {
    this.#count -= this.#waiting.get(socket)?.length ?? 0
    this.#waiting.delete(socket)
    socket.destroy()
  }

  /** On a tie, the newcomer's. */
  #longest(newcomer: Socket): Socket {
    let longest = newcomer
    let max = this.#waiting.get(newcomer)?.length ?? 0
    for (const [socket, { length }] of this.#waiting) {
      if (length > max) [longest, max] = [socket, length]
    }
    return longest
  }
}

const maxAddressCharacters = 64

/**
 * Who has sent a request, as far as turns need to know: the peer, and for whom it says it asks. A client that lies about that has as many turns
 * as it has connections, which is what all had without it.
 */
function clientOf([{ socket, headers }]: Exchange): string {
  const forwarded = String(headers['x-forwarded-for'] ?? '')
  const last = forwarded.slice(forwarded.lastIndexOf(',') + 1).slice(0, maxAddressCharacters)
  return `${socket.remoteAddress ?? ''} ${last.trim()}`
}
