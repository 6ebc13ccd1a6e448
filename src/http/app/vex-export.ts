import { ServiceError } from '../../contract/errors.ts'
import type { exportVex as contract } from '../../contract/operations/vex.ts'
import type { VexFormat } from '../../contract/vex.ts'
import { writeVex } from '../../formats/vex/write/write-vex.ts'
import { selectVexEntries } from '../../views/vex/export-verdicts.ts'
import { numberExport } from '../../vex/number-export.ts'
import { beginExport } from './exports/export-share.ts'
import type { Asked, Download } from './routing/handle.ts'

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
 * later export of the same keeps its id and raises its version. Codes: `not_found`, `no_statements`
 * when nothing has been judged, `rate_limited`.
 */
export async function exportVex(asked: Asked<typeof contract>): Promise<Download> {
  const { workspaceId, workspace, now, params, query, deps } = asked
  const [familyId, version, format] = [params.family, query.version ?? null, query.format ?? 'openvex']
  await using held = new AsyncDisposableStack()
  const tx = await beginExport(asked, held)
  const { versionId, ...state } = await selectVexEntries(tx, { workspaceId, familyId, version })
  if (state.entries.length === 0) throw new ServiceError('no_statements')
  const revision = await numberExport(deps.db, { workspaceId, familyId, versionId, format }, now)
  const content = writeVex(format, {
    revision,
    author: workspace.company_name,
    namespace: `${deps.baseUrl}/csaf/${workspace.slug}`,
    ...state,
  })
  const names = [workspace.slug, state.product.name, version]
  return { fileName: fileName(format, revision.documentId, names), content }
}
