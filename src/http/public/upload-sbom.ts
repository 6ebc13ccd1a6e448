import type { FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '../../contract/limits.ts'
import type { SbomReceipt } from '../../contract/sbom.ts'
import { sbomReceipt } from '../../sbom/receipt.ts'
import { uploadDetails, type UploadDetails } from '../../sbom/upload-details.ts'
import { authenticateForFamily } from '../../workspace/tokens/authenticate.ts'
import { clientAddress } from '../client-address.ts'
import { noteCaller } from '../caller.ts'
import { bearerToken } from '../credentials.ts'
import type { HttpDeps } from '../deps.ts'
import { readBody } from '../read-body.ts'
import { queryText, requestHeader } from './texts.ts'

/** `POST /api/v1/sboms`: token, rate limit and size here, the rest of the order in the parser child (`receiveSbom`). */
export async function uploadSbom(
  deps: HttpDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SbomReceipt> {
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
    kind: 'store_sbom',
    workspaceId,
    order: {
      sender: { tokenId, workspaceId, familyId, name },
      contentEncoding: request.headers['content-encoding'],
      details: detailsOf(request),
      requestId: request.id,
      address: clientAddress(request),
    },
    body,
  })
  reply.status(stored.isDuplicate ? 200 : 202)
  return sbomReceipt(stored, deps.baseUrl)
}

function detailsOf(request: FastifyRequest): UploadDetails {
  return uploadDetails({
    productVersion: requestHeader(request, 'x-service-version') ?? queryText(request, 'version'),
    source: requestHeader(request, 'x-service-source'),
    commit: requestHeader(request, 'x-service-commit'),
    branch: requestHeader(request, 'x-service-branch'),
    repository: requestHeader(request, 'x-service-repo'),
    runUrl: requestHeader(request, 'x-service-run-url'),
  })
}
