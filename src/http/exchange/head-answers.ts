import type { RouteOptions } from 'fastify'

/**
 * HEAD is answered with the headers of GET. The framework says of every answer without a body that its length is 0, of a 304 too, which then
 * contradicts the 200 (RFC 9110, 8.6).
 */
export function leaveOutLengthOf304(route: RouteOptions): void {
  if (route.method !== 'HEAD') return
  const hooks = [route.onSend ?? []].flat()
  route.onSend = [
    ...hooks,
    (_request, reply, payload, done) => {
      if (reply.statusCode === 304) reply.removeHeader('content-length')
      done(null, payload)
    },
  ]
}
