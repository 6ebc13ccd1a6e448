import type { FastifyRequest } from 'fastify'
import type { Actor } from '../../audit/record-acts.ts'
import { authenticate, type AuthenticatedToken } from '../../products/tokens/authenticate.ts'
import { noteCaller } from '../caller.ts'
import { clientAddress } from '../client-address.ts'
import { bearerToken } from '../credentials.ts'
import type { HttpDeps } from '../deps.ts'

type Sent = { deps: HttpDeps; request: FastifyRequest }

/** How every request with a workspace token begins. Codes: those of `authenticate`. */
export function workspaceToken({ deps, request }: Sent): Promise<AuthenticatedToken> {
  return authenticate(deps.db, {
    secret: bearerToken(request),
    kinds: ['workspace'],
    now: deps.now(),
    onKnown: (caller) => noteCaller(request, caller),
  })
}

/** The token, as the audit trail names who acted. */
export function actorOf({ tokenId, name }: AuthenticatedToken, request: FastifyRequest): Actor {
  return { kind: 'token', id: tokenId, name, requestId: request.id, address: clientAddress(request) }
}
