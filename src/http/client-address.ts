import type { FastifyRequest } from 'fastify'
import { canonicalAddress } from '../platform/client-address.ts'

/**
 * Where a request comes from: what the trusted proxies say (TRUST_PROXY), otherwise the peer of the connection. Anything but an
 * IP address is ignored.
 */
export function clientAddress(request: FastifyRequest): string {
  return canonicalAddress(request.ip) ?? canonicalAddress(request.socket.remoteAddress) ?? 'unknown'
}

/** The audit trail's record of where an act came from. */
export function originOf(request: FastifyRequest): { address: string; requestId: string } {
  return { address: clientAddress(request), requestId: request.id }
}
