import type { FastifyRequest } from 'fastify'
import { canonicalAddress } from '../platform/client-address.ts'

/**
 * Where a request comes from: what the trusted proxies in front say (TRUST_PROXY), else the connection's other end. What is no IP
 * address is not believed.
 */
export function clientAddress(request: FastifyRequest): string {
  return canonicalAddress(request.ip) ?? canonicalAddress(request.socket.remoteAddress) ?? 'unknown'
}

/** What the audit trail says of where an act came from. */
export function originOf(request: FastifyRequest): { address: string; requestId: string } {
  return { address: clientAddress(request), requestId: request.id }
}
