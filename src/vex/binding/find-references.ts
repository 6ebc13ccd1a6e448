import { decompress } from '../../formats/decompress/decompress.ts'
import { JsonObject } from '../../formats/json/object.ts'
import { parseJson } from '../../formats/json/parse.ts'
import { CyclonedxReferences } from '../../formats/vex/cyclonedx/cyclonedx-references.ts'
import { VexHints } from '../../formats/vex/hints.ts'

/** Of a stored CycloneDX SBOM: purls, else CPEs, as an export writes them. */
export type Wanted = { encoding: string; identifiers: string[] }
export type FoundReference = { ref: string; identifier: string }

/** The `bom-ref`s of the components with these identifiers. Codes: `too_large` when the file inflates to more than `maxFileBytes`. */
export function findReferences(
  raw: Uint8Array,
  { encoding, identifiers }: Wanted,
  { maxFileBytes }: { maxFileBytes: number },
): FoundReference[] {
  return readStoredReferences(raw, encoding, maxFileBytes).findAll(new Set(identifiers))
}

/** What the references of a stored SBOM name. It was read and accepted when it came, so what it is like holds for it still. */
export function readStoredReferences(
  raw: Uint8Array,
  encoding: string,
  maxFileBytes: number,
): CyclonedxReferences {
  const file = decompress(raw, encoding, 'gzip', maxFileBytes)
  const document = JsonObject.root(parseJson(file, 'sbom'), 'invalid_sbom')
  if (document === undefined) throw new Error('a stored SBOM is no JSON object')
  return new CyclonedxReferences(document, new VexHints())
}
