import { sbomReceipt } from '../../../sbom/receipt.ts'
import { uploadDetails, type UploadDetails } from '../../../sbom/upload-details.ts'
import { clientAddress } from '../../client-address.ts'
import { bearerToken } from '../../credentials.ts'
import { publicRoute, type PublicRequest } from '../public-route.ts'
import { receiveFromToken } from '../receive-from-token.ts'
import { examples } from './examples.ts'
import { operation } from './operation.ts'
import { words } from './words.ts'

/** `POST /api/v1/sboms`: token, rate limit and size here, the rest of the order in the parser child (`receiveSbom`). */
export const uploadSbom = publicRoute({ operation, words, examples }, async (asked) => {
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
})

function detailsOf({ header, query }: PublicRequest<typeof operation>): UploadDetails {
  return uploadDetails({
    productVersion: header('X-Service-Version') ?? query('version'),
    source: header('X-Service-Source'),
    commit: header('X-Service-Commit'),
    branch: header('X-Service-Branch'),
    repository: header('X-Service-Repo'),
    runUrl: header('X-Service-Run-Url'),
  })
}
