import type { FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '../../contract/limits.ts'
import { ServiceError } from '../../contract/errors.ts'
import { hiddenCharacterProblem } from '../../contract/hidden-characters.ts'
import type { SbomReceipt } from '../../contract/sbom.ts'
import type { VexReceipt } from '../../contract/vex.ts'
import { sbomReceipt } from '../../sbom/receipt.ts'
import { productVersion, uploadDetails } from '../../sbom/upload-details.ts'
import { vexReceipt } from '../../vex/documents/receipt.ts'
import { selectFamily } from '../../workspace/families/select-families.ts'
import { clientAddress } from '../client-address.ts'
import type { HttpDeps } from '../deps.ts'
import { readBody } from '../read-body.ts'
import { write, type AppOperation } from './app-operation.ts'
import { idParameter, memberWho, queryValue } from './member.ts'

/** What a person types is refused where a pipeline's would be cleaned: the person is there to correct it. */
function typedVersion(request: FastifyRequest): string | null {
  const typed = queryValue(request, 'version')?.trim() ?? null
  const problem = hiddenCharacterProblem(typed ?? '')
  if (problem !== undefined) throw new ServiceError('invalid_request', { fields: { version: problem } })
  return productVersion(typed)
}

/** What a member sends, up to the parser child, which does the rest as for a token's upload. */
async function receive(deps: HttpDeps, request: FastifyRequest) {
  const { workspaceId, actor } = await memberWho(deps, request, 'upload')
  const family = await selectFamily(deps.db, workspaceId, idParameter(request, 'family'))
  if (family.archivedAt !== null) {
    throw new ServiceError('conflict', { message: 'The product family is archived.' })
  }
  const { id: personId, name } = actor
  if (personId === null) throw new Error('a signed-in member has an id')
  const version = typedVersion(request)
  const body = await readBody(request.raw, {
    maxBytes: limits.bodySentBytes,
    bodies: deps.bodies,
    owner: { workspaceId, senderId: personId },
  })
  const order = {
    sender: { workspaceId, familyId: family.id, tokenId: null, personId, name },
    contentEncoding: request.headers['content-encoding'],
    requestId: request.id,
    address: clientAddress(request),
  }
  return { workspaceId, version, order, body }
}

/** Codes: those of `memberWho`, `not_found`, `conflict`, and of `POST /api/v1/sboms` from size on. */
async function postSbom(deps: HttpDeps, request: FastifyRequest, reply: FastifyReply): Promise<SbomReceipt> {
  const { workspaceId, version, order, body } = await receive(deps, request)
  const given = { source: null, commit: null, branch: null, repository: null, runUrl: null }
  const details = { ...uploadDetails({ ...given, productVersion: version }), source: 'application' as const }
  const stored = await deps.parser.run({
    kind: 'store_sbom',
    workspaceId,
    order: { ...order, details },
    body,
  })
  reply.status(stored.isDuplicate ? 200 : 202)
  return sbomReceipt(stored, deps.baseUrl)
}

/** Codes: those of `memberWho`, `not_found`, `conflict`, and of `POST /api/v1/vex` from size on. */
async function postVex(deps: HttpDeps, request: FastifyRequest, reply: FastifyReply): Promise<VexReceipt> {
  const { workspaceId, version, order, body } = await receive(deps, request)
  const stored = await deps.parser.run({
    kind: 'store_vex',
    workspaceId,
    order: { ...order, productVersion: version, source: 'application' },
    body,
  })
  reply.status(stored.isDuplicate ? 200 : 202)
  return vexReceipt(stored, deps.baseUrl)
}

const family = '/workspaces/:slug/families/:family'

/** Files that members send in the browser, as they are. */
export const uploadOperations: readonly AppOperation[] = [
  { ...write('POST', `${family}/sboms`, postSbom), body: 'raw' },
  { ...write('POST', `${family}/vex`, postVex), body: 'raw' },
]
