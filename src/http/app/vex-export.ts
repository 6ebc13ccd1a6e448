import type { FastifyReply, FastifyRequest } from 'fastify'
import { vexFormats, type VexFormat } from '../../contract/vex.ts'
import { writeVex } from '../../formats/vex/write-vex.ts'
import { selectVexEntries } from '../../matching/export-verdicts.ts'
import { newId } from '../../platform/random.ts'
import { selectWorkspace } from '../../workspace/workspaces.ts'
import type { HttpDeps } from '../deps.ts'
import { read, type AppOperation } from './app-operation.ts'
import { idParameter, member, queryValue, queryWord } from './member.ts'

const fileEndings: Record<VexFormat, string> = {
  openvex: 'openvex.json',
  csaf: 'csaf.json',
  cyclonedx: 'cdx.json',
}

/**
 * The verdicts in force on a family, or on one of its versions, as a VEX document that `POST /api/v1/vex` reads back. Codes: those of
 * `member`, `not_found`, `invalid_request` (format), `no_statements` when nobody has judged anything.
 */
async function exportVex(deps: HttpDeps, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { workspaceId, now } = await member(deps, request)
  const familyId = idParameter(request, 'family')
  const version = queryValue(request, 'version') ?? null
  const { familyName, entries } = await selectVexEntries(deps.db, { workspaceId, familyId, version })
  const format = queryWord(request, 'format', vexFormats) ?? 'openvex'
  const workspace = await selectWorkspace(deps.db, workspaceId)
  const text = writeVex(format, {
    documentId: newId(now),
    author: workspace.company_name,
    namespace: `${deps.baseUrl}/csaf/${workspace.slug}`,
    time: now.toISOString(),
    product: { name: familyName, version },
    entries,
  })
  return reply
    .header('Content-Type', 'application/json')
    .header('Content-Disposition', `attachment; filename="${workspace.slug}.${fileEndings[format]}"`)
    .header('Content-Security-Policy', 'sandbox')
    .send(text)
}

/** VEX for others. */
export const vexExportOperations: readonly AppOperation[] = [
  read('/workspaces/:slug/families/:family/vex-export', exportVex),
]
