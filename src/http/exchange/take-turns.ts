import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Exchange = [request: IncomingMessage, response: ServerResponse]

/** More than any client has under way on one connection. */
const maxWaiting = 100

/** What waits behind the request that is being answered, of the connections on which one is. */
const waiting = new WeakMap<Socket, Exchange[]>()

/**
 * Answers the requests of a connection one after the other. Node hands over all that came in one piece at once (pipelining, RFC 9112, 9.3.2):
 * thousands of them would keep everybody else waiting. Between two, others have their turn; what waits when its client has gone is dropped.
 * A connection on which more than `maxWaiting` wait is ended.
 */
export function inTurn(listener: RequestListener): RequestListener {
  const begin = ([request, response]: Exchange) => {
    const { socket } = request
    response.once('close', () => {
      if (waiting.get(socket)?.length === 0) waiting.delete(socket)
      else setImmediate(goOn, socket)
    })
    listener(request, response)
  }
  const goOn = (socket: Socket) => {
    const next = waiting.get(socket)?.shift()
    if (socket.destroyed || next === undefined) waiting.delete(socket)
    else begin(next)
  }
  return (request, response) => {
    const { socket } = request
    if (socket.destroyed) return
    const before = waiting.get(socket)
    if (before === undefined) {
      waiting.set(socket, [])
      begin([request, response])
    } else if (before.length < maxWaiting) before.push([request, response])
    else socket.destroy()
  }
}
