import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../contract/errors.ts'
import { vexFormats, type VexFormat } from '../../contract/vex.ts'
import { writeVex } from '../../formats/vex/write/write-vex.ts'
import { selectVexEntries } from '../../views/vex/export-verdicts.ts'
import { numberExport } from '../../vex/number-export.ts'
import { selectWorkspace } from '../../workspace/workspaces.ts'
import type { HttpDeps } from '../deps.ts'
import { read, type AppOperation } from './app-operation.ts'
import { idParameter, member, queryValue, queryWord } from './member.ts'

/** By which tools know a document: CSAF 2.0, 5.1; OpenVEX and CycloneDX by their endings. */
function fileName(format: VexFormat, documentId: string, names: readonly (string | null)[]): string {
  if (format === 'csaf') return `${documentId.toLowerCase().replaceAll(/[^+\-a-z0-9]+/g, '_')}.json`
  const plain = names
    .flatMap((name) => (name === null ? [] : [name.normalize('NFKD').replaceAll(/[^A-Za-z0-9.]+/g, '-')]))
    .map((name) => name.replaceAll(/^[-.]+|[-.]+$/g, ''))
    .filter((name) => name !== '')
  return `${plain.join('-').slice(0, 100)}.${format === 'openvex' ? 'openvex' : 'vex.cdx'}.json`
}

/**
 * The verdicts in force on a family, or on one of its versions, as a VEX document that `POST /api/v1/vex` reads back. A
 * later export of the same keeps its id and raises its version. Codes: those of
 * `member`, `not_found`, `invalid_request` (format), `no_statements` when nobody has judged anything.
 */
async function exportVex(deps: HttpDeps, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { workspaceId, now } = await member(deps, request)
  const familyId = idParameter(request, 'family')
  const version = queryValue(request, 'version') ?? null
  const format = queryWord(request, 'format', vexFormats) ?? 'openvex'
  const { versionId, ...state } = await selectVexEntries(deps.db, { workspaceId, familyId, version })
  if (state.entries.length === 0) throw new ServiceError('no_statements')
  const workspace = await selectWorkspace(deps.db, workspaceId)
  const revision = await numberExport(deps.db, { workspaceId, familyId, versionId, format }, now)
  const text = writeVex(format, {
    revision,
    author: workspace.company_name,
    namespace: `${deps.baseUrl}/csaf/${workspace.slug}`,
    ...state,
  })
  const name = fileName(format, revision.documentId, [workspace.slug, state.product.name, version])
  return reply
    .header('Content-Type', 'application/json')
    .header('Content-Disposition', `attachment; filename="${name}"`)
    .header('Content-Security-Policy', 'sandbox')
    .send(text)
}

/** VEX for others. */
export const vexExportOperations: readonly AppOperation[] = [
  read('/workspaces/:slug/families/:family/vex-export', exportVex),
]
