import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** Requests whose clients wait to be asked for the body. */
const heldBack = new WeakSet<IncomingMessage>()

/** Whether the body comes only once it is read, or a moment later from an impatient client. */
export function isHeldBack(request: IncomingMessage): boolean {
  return heldBack.has(request)
}

/**
 * A client that waits with its body (`Expect: 100-continue`; RFC 9110, 10.1.1) is told to continue when somebody reads it, after all checks that
 * come before a body. If it is refused earlier, it gets only the refusal and the connection closes: nobody knows whether its body will still
 * come.
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
