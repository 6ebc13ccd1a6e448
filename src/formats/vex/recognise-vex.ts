import { ServiceError } from '../../contract/errors.ts'
import type { VexFormat } from '../../contract/vex/shapes.ts'
import { JsonObject, kindOf } from '../json/object.ts'
import {
  cyclonedxVersions,
  describeOther,
  versionFound,
  withoutVersion,
  wordFound,
} from '../sbom/recognise.ts'

const openvexContexts = ['https://openvex.dev/ns', 'https://openvex.dev/schema-ld.json']
const openvexVersion = /^https:\/\/openvex\.dev\/ns\/v(\d{1,3}(?:\.\d{1,3}){0,2})/
const wordShown = 40

type RecognisedVex = { format: VexFormat; formatLabel: string; document: JsonObject }

/**
 * Which of the accepted formats a JSON value is in, by its content (docs/public-api.md, "POST /api/v1/vex").
 * Refuses everything else with `unsupported_vex`; `detail` names what was found.
 */
export function recogniseVex(value: unknown): RecognisedVex {
  const document = JsonObject.root(value, 'invalid_vex')
  if (!document) throw unsupported(value === null ? 'JSON null' : kindOf(value).replace(/^an? /, 'a JSON '))
  if (document.get('bomFormat') === 'CycloneDX') return recogniseCyclonedx(document)
  const head = document.lenientObject('document')
  if (head?.get('csaf_version') !== undefined) return recogniseCsaf(document, head)
  const context = document.lenientString('@context') ?? ''
  if (openvexContexts.some((start) => context.startsWith(start))) return recogniseOpenvex(document, context)
  return unrecognised(document)
}

function recogniseCyclonedx(document: JsonObject): RecognisedVex {
  const specVersion = document.lenientString('specVersion')
  if (specVersion === null) throw unsupported(withoutVersion(document, 'CycloneDX', 'specVersion'))
  if (!cyclonedxVersions.includes(specVersion)) {
    throw unsupported(versionFound(specVersion, 'CycloneDX', 'specVersion'))
  }
  const formatLabel = `CycloneDX ${specVersion}`
  if ((document.get('vulnerabilities') ?? null) === null) {
    throw unsupported(`${formatLabel} without vulnerabilities`)
  }
  return { format: 'cyclonedx', formatLabel, document }
}

/** Only the VEX profile of CSAF 2.0: other categories and CSAF 2.1 mean their status lists otherwise. */
function recogniseCsaf(document: JsonObject, head: JsonObject): RecognisedVex {
  const version = head.get('csaf_version')
  const category = head.get('category')
  if (version !== '2.0' || category !== 'csaf_vex') {
    throw unsupported(`CSAF ${shown(version)} with the category ${shown(category)}`)
  }
  return { format: 'csaf', formatLabel: 'CSAF 2.0', document }
}

function recogniseOpenvex(document: JsonObject, context: string): RecognisedVex {
  const [, version] = openvexVersion.exec(context) ?? []
  const formatLabel = version === undefined ? 'OpenVEX' : `OpenVEX ${version}`
  if (version !== undefined && !version.startsWith('0.')) throw unsupported(formatLabel)
  return { format: 'openvex', formatLabel, document }
}

function unrecognised(document: JsonObject): never {
  const spdx = document.lenientString('spdxVersion')
  if (spdx !== null) throw unsupported(versionFound(spdx, 'SPDX', 'spdxVersion'))
  throw unsupported(describeOther(document))
}

function shown(value: unknown): string {
  return typeof value === 'string' ? wordFound(value, wordShown) : kindOf(value)
}

function unsupported(found: string): ServiceError {
  return new ServiceError('unsupported_vex', { detail: found })
}
