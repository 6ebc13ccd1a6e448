import { ServiceError } from '../../../contract/errors.ts'
import type { exportVex as contract } from '../../../contract/vex/operations.ts'
import { formsOfVexFormat, type VexForm, type VexFormat } from '../../../contract/vex/shapes.ts'
import type { VexState } from '../../../formats/vex/vex-state.ts'
import { writeVex } from '../../../formats/vex/write/write-vex.ts'
import { OwnedBytes } from '../../../parser/owned-bytes.ts'
import { selectVexEntries, type ExportedState } from '../../../views/vex/export-verdicts.ts'
import { selectLinkedSbom } from '../../../views/vex/linked-sbom.ts'
import { numberExport } from '../../../vex/number-export.ts'
import { beginExport } from '../exports/export-share.ts'
import type { Asked } from '../routing/handle.ts'
import type { Download } from '../routing/send-answer.ts'

/** File names by which tools recognise a document: CSAF 2.0, 5.1; OpenVEX and CycloneDX by their endings. */
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
 * later export of the same keeps its id and raises its version. Codes: `not_found`, `invalid_request` (form), `no_statements`
 * when nothing has been judged, `rate_limited`.
 */
export async function exportVex(asked: Asked<typeof contract>): Promise<Download> {
  const { workspaceId, workspace, now, params, query, deps } = asked
  const [familyId, version, format] = [params.family, query.version ?? null, query.format ?? 'openvex']
  const form = formOf(format, query.form)
  await using held = new AsyncDisposableStack()
  const { versionId, ...state } = await beginExport(asked, held, (tx) =>
    selectVexEntries(tx, { workspaceId, familyId, version }),
  )
  if (state.entries.length === 0) throw nothingJudged(version)
  const links = form === 'bom_link' ? { links: await linksTo(asked, versionId, state.entries) } : {}
  const revision = await numberExport(deps.db, { workspaceId, familyId, versionId, format }, now)
  const name = fileName(format, revision.documentId, [workspace.slug, state.product.name, version])
  const content = writeVex(format, {
    revision,
    author: workspace.company_name,
    namespace: `${deps.baseUrl}/csaf/${workspace.slug}`,
    address: `${deps.baseUrl}/app/${workspace.slug}/families/${familyId}?tab=vex#${name}`,
    form,
    ...links,
    ...state,
  })
  return { fileName: name, content }
}

/** The standard words of the code speak of a document that was sent. */
function nothingJudged(version: string | null): ServiceError {
  const which = version === null ? 'No finding of this family' : `No finding of version ${version}`
  return new ServiceError('no_statements', {
    message: `${which} has a verdict yet: there is nothing to export.`,
  })
}

function formOf(format: VexFormat, wanted: VexForm | undefined): VexForm {
  const [first = 'in_product'] = formsOfVexFormat[format]
  if (wanted === undefined || formsOfVexFormat[format].includes(wanted)) return wanted ?? first
  const known = formsOfVexFormat[format].map((form) => `"${form}"`).join(', ')
  throw new ServiceError('invalid_request', { fields: { form: `This format knows ${known}.` } })
}

/** Reading the SBOM costs in proportion to its size: a task for the parser child. */
async function linksTo(
  { workspaceId, params, deps }: Asked<typeof contract>,
  versionId: string | null,
  entries: ExportedState['entries'],
): Promise<NonNullable<VexState['links']>> {
  const sbom = await selectLinkedSbom(deps, { workspaceId, familyId: params.family, versionId })
  const targets = entries.flatMap((entry) => entry.targets)
  const identifiers = targets.flatMap((target) =>
    target.kind === 'component' ? (target.purl ?? target.cpe ?? []) : [],
  )
  const found = await deps.parser.run({
    kind: 'find_references',
    workspaceId,
    upload: { encoding: sbom.encoding, identifiers: [...new Set(identifiers)] },
    body: new OwnedBytes(Uint8Array.from(sbom.raw).buffer),
  })
  const links = Map.groupBy(found, ({ identifier }) => identifier)
  return new Map(
    Array.from(links, ([identifier, places]) => [
      identifier,
      places.map(({ ref }) => `${sbom.bom}#${encodeURIComponent(ref)}`),
    ]),
  )
}
