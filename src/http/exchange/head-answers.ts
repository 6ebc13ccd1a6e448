import type { RouteOptions } from 'fastify'

/**
 * HEAD is answered with the headers of GET. The framework gives every answer without a body the length 0, even a 304, which then contradicts
 * the 200 (RFC 9110, 8.6).
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
