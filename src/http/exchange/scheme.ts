import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'

type Forwarded = { proto: string; isHttps: boolean }

/** What the framework made of X-Forwarded-Proto on each connection: whether it believes it depends on who is at the other end. */
const judged = new WeakMap<IncomingMessage['socket'], Forwarded>()

/** Whether the client speaks https, to this service or to a proxy in front that is trusted. */
export function isHttps({ raw, protocol }: FastifyRequest): boolean {
  const isHttps = protocol === 'https'
  const proto = forwardedProto(raw)
  if (proto !== undefined) judged.set(raw.socket, { proto, isHttps })
  return isHttps
}

/** The same before the framework has the request; undefined: it is to judge. */
export function isKnownHttps(raw: IncomingMessage): boolean | undefined {
  const proto = forwardedProto(raw)
  if (proto === undefined) return 'encrypted' in raw.socket && raw.socket.encrypted === true
  const known = judged.get(raw.socket)
  return known?.proto === proto ? known.isHttps : undefined
}

function forwardedProto({ headers }: IncomingMessage): string | undefined {
  return headers['x-forwarded-proto']?.toString()
}
