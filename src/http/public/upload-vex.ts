import { limits } from '../../contract/limits.ts'
import type { uploadVex as contract } from '../../contract/public-operations.ts'
import type { VexReceipt } from '../../contract/vex.ts'
import { productVersion, uploadSource } from '../../sbom/upload-details.ts'
import { vexReceipt } from '../../vex/documents/receipt.ts'
import { authenticateForFamily } from '../../workspace/tokens/authenticate.ts'
import { clientAddress } from '../client-address.ts'
import { noteCaller } from '../caller.ts'
import { bearerToken } from '../credentials.ts'
import { readBody } from '../read-body.ts'
import type { PublicRequest } from './public-route.ts'

/** `POST /api/v1/vex`: token, rate limit and size here, the rest of the order in the parser child (`receiveVex`). */
export async function uploadVex(asked: PublicRequest<typeof contract>): Promise<VexReceipt> {
  const { deps, request, reply } = asked
  const now = deps.now()
  const token = await authenticateForFamily(deps.db, {
    secret: bearerToken(request),
    kinds: ['upload'],
    now,
    onKnown: (caller) => noteCaller(request, caller),
  })
  const { tokenId, workspaceId, familyId, name } = token
  const body = await readBody(request.raw, {
    maxBytes: limits.bodySentBytes,
    bodies: deps.bodies,
    owner: { workspaceId, senderId: tokenId },
  })
  const stored = await deps.parser.run({
    kind: 'store_vex',
    workspaceId,
    order: {
      sender: { tokenId, workspaceId, familyId, name },
      contentEncoding: request.headers['content-encoding'],
      productVersion: productVersion(asked.header('X-Service-Version') ?? asked.query('version')),
      source: uploadSource(asked.header('X-Service-Source')),
      requestId: request.id,
      address: clientAddress(request),
    },
    body,
  })
  reply.status(stored.isDuplicate ? 200 : 202)
  return vexReceipt(stored, deps.baseUrl)
}
