import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'

type Forwarded = { proto: string; isHttps: boolean }

/** How the framework read X-Forwarded-Proto on each connection: whether it trusts the header depends on the peer. */
const judged = new WeakMap<IncomingMessage['socket'], Forwarded>()

/** Whether the client speaks https, to this service or to a proxy in front that is trusted. */
export function isHttps({ raw, protocol }: FastifyRequest): boolean {
  const isHttps = protocol === 'https'
  const proto = forwardedProto(raw)
  if (proto !== undefined) judged.set(raw.socket, { proto, isHttps })
  return isHttps
}

/** The same before the framework has the request; undefined: the framework has to decide. */
export function isKnownHttps(raw: IncomingMessage): boolean | undefined {
  const proto = forwardedProto(raw)
  if (proto === undefined) return 'encrypted' in raw.socket && raw.socket.encrypted === true
  const known = judged.get(raw.socket)
  return known?.proto === proto ? known.isHttps : undefined
}

function forwardedProto({ headers }: IncomingMessage): string | undefined {
  return headers['x-forwarded-proto']?.toString()
}
