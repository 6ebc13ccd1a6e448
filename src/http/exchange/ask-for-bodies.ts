import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** Requests whose bodies their clients hold back until they are asked for. */
const heldBack = new WeakSet<IncomingMessage>()

/** Whether the body comes only once it is read, or a moment later from a client that is not patient. */
export function isHeldBack(request: IncomingMessage): boolean {
  return heldBack.has(request)
}

/**
 * A client that waits with its body (`Expect: 100-continue`; RFC 9110, 10.1.1) is told to go on when somebody reads it, which is after everything
 * that is judged before a body. Refused before, it gets the refusal alone, and the connection ends with it: nobody knows whether its body still
 * comes.
 */
export function askForBodies(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    const { shouldKeepAlive } = response
    if (!request.complete) {
      heldBack.add(request)
      response.shouldKeepAlive = false
    }
    request.once('resume', () => {
      if (!heldBack.delete(request) || response.headersSent || response.destroyed) return
      response.shouldKeepAlive = shouldKeepAlive
      if (!request.complete) response.writeContinue()
    })
    server.emit('request', request, response)
  })
}
