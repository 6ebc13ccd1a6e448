import { limits } from '../../../contract/limits.ts'
import { ServiceError } from '../../../contract/errors.ts'
import { hiddenCharacterProblem } from '../../../contract/hidden-characters.ts'
import * as contract from '../../../contract/sbom/upload-operations.ts'
import { sbomReceipt } from '../../../sbom/receipt.ts'
import { productVersion, uploadDetails } from '../../../sbom/upload-details.ts'
import { vexReceipt } from '../../../vex/documents/receipt.ts'
import { selectFamily } from '../../../products/families/select-families.ts'
import { clientAddress } from '../../client-address.ts'
import { routesOf, type Asked } from '../routing/handle.ts'

type Sent = Asked<typeof contract.sendSbom>

/** Input that is cleaned for a pipeline is refused for a person, who is there to correct it. */
function typedVersion({ version }: Sent['query']): string | null {
  const typed = version?.trim() ?? null
  const problem = hiddenCharacterProblem(typed ?? '')
  if (problem !== undefined) throw new ServiceError('invalid_request', { fields: { version: problem } })
  return productVersion(typed)
}

/** A member's upload, up to the parser child, which does the rest as for a token's. */
async function receive({ workspaceId, actor, params, query, readFile, deps, request }: Sent) {
  const family = await selectFamily(deps.db, workspaceId, params.family)
  if (family.archivedAt !== null) {
    throw new ServiceError('conflict', { message: 'The product family is archived.' })
  }
  const { id: personId, name } = actor
  if (personId === null) throw new Error('a signed-in member has an id')
  const version = typedVersion(query)
  const body = await readFile(limits.bodySentBytes)
  const upload = {
    sender: { workspaceId, familyId: family.id, tokenId: null, personId, name },
    contentEncoding: request.headers['content-encoding'],
    requestId: request.id,
    address: clientAddress(request),
  }
  return { workspaceId, version, upload, body, [Symbol.dispose]: () => body.release() }
}

/** Files that members send in the browser, as they are. */
export const uploadRoutes = routesOf(contract, {
  /** Codes: `not_found`, `conflict`, and those of `POST /api/v1/sboms` from size on. */
  sendSbom: async (sent) => {
    using received = await receive(sent)
    const { workspaceId, version, upload, body } = received
    const given = { source: null, commit: null, branch: null, repository: null, runUrl: null }
    const details = {
      ...uploadDetails({ ...given, productVersion: version }),
      source: 'application' as const,
    }
    const stored = await sent.deps.parser.run({
      kind: 'store_sbom',
      workspaceId,
      upload: { ...upload, details },
      body,
    })
    sent.reply.status(stored.isDuplicate ? 200 : 202)
    return sbomReceipt(stored, sent.deps.baseUrl)
  },

  /** Codes: `not_found`, `conflict`, and those of `POST /api/v1/vex` from size on. */
  sendVex: async (sent) => {
    using received = await receive(sent)
    const { workspaceId, version, upload, body } = received
    const stored = await sent.deps.parser.run({
      kind: 'store_vex',
      workspaceId,
      upload: { ...upload, productVersion: version, source: 'application' },
      body,
    })
    sent.reply.status(stored.isDuplicate ? 200 : 202)
    return vexReceipt(stored, sent.deps.baseUrl)
  },
})
