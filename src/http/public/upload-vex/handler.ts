import { productVersion, uploadSource } from '../../../sbom/upload-details.ts'
import { vexReceipt } from '../../../vex/documents/receipt.ts'
import { clientAddress } from '../../client-address.ts'
import { bearerToken } from '../../credentials.ts'
import { publicRoute } from '../public-route.ts'
import { receiveFromToken } from '../receive-from-token.ts'
import { examples } from './examples.ts'
import { operation } from './operation.ts'
import { words } from './words.ts'

/** `POST /api/v1/vex`: token, rate limit and size here, the rest of the order in the parser child (`receiveVex`). */
export const uploadVex = publicRoute({ operation, words, examples }, async (asked) => {
  const { deps, request, reply } = asked
  const secret = bearerToken(request)
  using received = await receiveFromToken({ deps, request, secret, now: deps.now() })
  const { sender, body } = received
  const stored = await deps.parser.run({
    kind: 'store_vex',
    workspaceId: sender.workspaceId,
    upload: {
      sender,
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
})
