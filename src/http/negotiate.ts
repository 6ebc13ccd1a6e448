import type { FastifyRequest } from 'fastify'

const none: ReadonlySet<string> = new Set()

/** Content codings that a client takes, without those it refuses with `q=0` (RFC 9110, 12.5.3). */
export function acceptedCodings(request: FastifyRequest): ReadonlySet<string> {
  const header = request.headers['accept-encoding']
  if (header === undefined) return none
  const entries = header.split(',').map((entry) => entry.split(';').map((part) => part.trim().toLowerCase()))
  return new Set(
    entries.filter(([, weight]) => !/^q=0(?:\.0*)?$/.test(weight ?? '')).map(([name = '']) => name),
  )
}

/** Whether `If-None-Match` names the tag, quotes included; compared weakly (RFC 9110, 13.1.2). */
export function isTagKnown(request: FastifyRequest, tag: string): boolean {
  const header = request.headers['if-none-match'] ?? ''
  if (header === tag) return true
  const known = header.split(',').map((entry) => entry.trim())
  return known.some((entry) => entry === '*' || entry.replace(/^W\//, '') === tag)
}
