import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../contract/errors.ts'
import type { KnownAddresses } from '../known-addresses.ts'
import { pathOf } from '../request-log.ts'

/**
 * What clients of Dependency-Track ask for: the upload, its progress, the project, the team of the key, findings, the server's version. What
 * they are given as the platform's address may be that of the API or of one of its operations.
 */
const ofDependencyTrack =
  /^\/api\/(?:(?:v1\/(?:[a-z-]+\/){0,2})?api\/)?(?:version|v1\/(?:bom|event|finding|metrics|project|team|violation)(?:\/.*)?)$/
/** One of them prints no answer over 127 characters. */
const whereToSend = 'send the SBOM itself to POST /api/v1/sboms'

/** The refusal of an address that names nothing; `detail` says what was probably meant. */
export function nothingAt(
  request: FastifyRequest,
  reply: FastifyReply,
  addresses: KnownAddresses,
): ServiceError {
  const path = pathOf(request)
  const single = path.replaceAll(/\/{2,}/g, '/')
  if (ofDependencyTrack.test(single)) {
    // several of them print the status line and nothing of the body
    reply.raw.statusMessage = `Not Found: ${whereToSend}`
    return new ServiceError('not_found', { detail: whereToSend })
  }
  const isKnown = (other: string) => other.startsWith('/api/v1/') && addresses.methodsOf(other).length > 0
  if (single !== path && isKnown(single)) return meant('this address has no double slash')
  if (path.endsWith('/') && isKnown(path.slice(0, -1))) return meant('this address has no slash at its end')
  return new ServiceError('not_found')
}

function meant(detail: string): ServiceError {
  return new ServiceError('not_found', { detail })
}
