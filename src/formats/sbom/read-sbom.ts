import { asRefusal, parseJson } from '../json/parse.ts'
import { readCyclonedx } from './cyclonedx.ts'
import type { SbomDocument } from './document.ts'
import { recogniseSbom } from './recognise.ts'
import { readSpdx } from './spdx.ts'

/**
 * Reads an uploaded SBOM of at most 50 MB, already inflated (interface, "POST /api/v1/sboms": "the SBOM itself").
 *
 * Codes: `xml_unsupported`, `invalid_json`, `unsupported_format` (`detail` names what was found), `invalid_sbom`
 * (`detail` has the JSON pointer, or the budget that the document breaks), `too_many_components`.
 */
export function readSbom(bytes: Uint8Array): SbomDocument {
  try {
    const { format, specVersion, document } = recogniseSbom(parseJson(bytes, 'sbom'))
    return format === 'cyclonedx' ? readCyclonedx(document, specVersion) : readSpdx(document, specVersion)
  } catch (error) {
    throw asRefusal(error, 'sbom')
  }
}
