import type { FastifyRequest } from 'fastify'
import { limits } from '../../contract/limits.ts'
import type { OwnedBytes } from '../../parser/owned-bytes.ts'
import { authenticateForFamily, type FamilyToken } from '../../products/tokens/authenticate.ts'
import { noteCaller } from '../caller.ts'
import type { HttpDeps } from '../deps.ts'
import { readBody } from '../read-body.ts'

type Sent = {
  deps: Pick<HttpDeps, 'db' | 'bodies'>
  request: FastifyRequest
  /** The upload token as sent; undefined when there is none. */
  secret: string | undefined
  now: Date
  /** Called with each part of the body as it arrives. */
  see?: (chunk: Uint8Array) => void
}

type Received = Disposable & {
  sender: Pick<FamilyToken, 'tokenId' | 'workspaceId' | 'familyId' | 'name'>
  body: OwnedBytes
}

/**
 * How every upload begins: upload token, rate limit and size. The caller takes the bytes with `using`, and may pass them on.
 * Codes: those of `authenticate` and of `readBody`.
 */
export async function receiveFromToken({ deps, request, secret, now, see }: Sent): Promise<Received> {
  const token = await authenticateForFamily(deps.db, {
    secret,
    kinds: ['upload'],
    now,
    onKnown: (caller) => noteCaller(request, caller),
  })
  const { tokenId, workspaceId, familyId, name } = token
  const body = await readBody(request.raw, {
    maxBytes: limits.bodySentBytes,
    bodies: deps.bodies,
    owner: { workspaceId, senderId: tokenId },
    ...(see === undefined ? {} : { see }),
  })
  return { sender: { tokenId, workspaceId, familyId, name }, body, [Symbol.dispose]: () => body.release() }
}
