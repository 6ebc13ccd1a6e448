import type { uploadSbom as contract } from '../../contract/public/public-operations.ts'
import type { SbomReceipt } from '../../contract/sbom/shapes.ts'
import { sbomReceipt } from '../../sbom/receipt.ts'
import { uploadDetails, type UploadDetails } from '../../sbom/upload-details.ts'
import { clientAddress } from '../client-address.ts'
import { bearerToken } from '../credentials.ts'
import type { PublicRequest } from './public-route.ts'
import { receiveFromToken } from './receive-from-token.ts'

/** `POST /api/v1/sboms`: token, rate limit and size here, the rest of the order in the parser child (`receiveSbom`). */
export async function uploadSbom(asked: PublicRequest<typeof contract>): Promise<SbomReceipt> {
  const { deps, request, reply } = asked
  const secret = bearerToken(request)
  using received = await receiveFromToken({ deps, request, secret, now: deps.now() })
  const { sender, body } = received
  const stored = await deps.parser.run({
    kind: 'store_sbom',
    workspaceId: sender.workspaceId,
    upload: {
      sender,
      contentEncoding: request.headers['content-encoding'],
      details: detailsOf(asked),
      requestId: request.id,
      address: clientAddress(request),
    },
    body,
  })
  reply.status(stored.isDuplicate ? 200 : 202)
  return sbomReceipt(stored, deps.baseUrl)
}

function detailsOf({ header, query }: PublicRequest<typeof contract>): UploadDetails {
  return uploadDetails({
    productVersion: header('X-Service-Version') ?? query('version'),
    source: header('X-Service-Source'),
    commit: header('X-Service-Commit'),
    branch: header('X-Service-Branch'),
    repository: header('X-Service-Repo'),
    runUrl: header('X-Service-Run-Url'),
  })
}
