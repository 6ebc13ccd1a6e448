import type { VexDocument } from '../../contract/vex/shapes.ts'
import { asRefusal, readJson } from '../json/parse.ts'
import { readReportedFindings } from '../vex/cyclonedx/cyclonedx.ts'
import { maxVulnerabilities } from './cyclonedx/cyclonedx-vulnerabilities.ts'
import { readCyclonedx } from './cyclonedx/cyclonedx.ts'
import type { SbomDocument } from './document.ts'
import { recogniseSbom } from './recognise.ts'
import { readSpdx } from './spdx/spdx.ts'

export type ReadSbom = SbomDocument & {
  /** What the document itself says about vulnerabilities: a scanner's findings and statements. */
  reported: VexDocument | null
}

/**
 * Reads an uploaded SBOM of at most 50 MB, already inflated (docs/public-api.md, "POST /api/v1/sboms").
 *
 * Codes: `xml_unsupported`, `invalid_json`, `unsupported_format` (`detail` names what was found), `invalid_sbom`
 * (`detail` has the JSON pointer, or the budget that the document breaks), `too_many_components`.
 */
export function readSbom(bytes: Uint8Array): ReadSbom {
  try {
    return readJson(bytes, 'sbom', readValue)
  } catch (error) {
    throw asRefusal(error, 'sbom')
  }
}

function readValue(value: unknown): ReadSbom {
  const { format, specVersion, document } = recogniseSbom(value)
  if (format === 'spdx') return { ...readSpdx(document, specVersion), reported: null }
  const sbom = readCyclonedx(document, specVersion)
  const isKept = sbom.vulnerabilityCount > 0 && sbom.vulnerabilityCount <= maxVulnerabilities
  return { ...sbom, reported: isKept ? readReportedFindings(value) : null }
}
