import { cleanOptional } from '../json/clean.ts'
import { decodePercent } from '../purl/purl.ts'
import { textLimits } from './statement-fields.ts'
import type { VexTarget } from '../../contract/vex/shapes.ts'

const prefix = 'urn:cdx:'
const documentPattern = /^urn:cdx:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/([1-9]\d{0,8})$/i

export type BomLink = NonNullable<VexTarget['bomLink']>

/**
 * A reference into a document, `urn:cdx:<serial number>/<version>#<bom-ref>` (CycloneDX, "BOM-Link"); null for any other
 * text. The serial number is in lower case and without its `urn:uuid:`.
 */
export function parseBomLink(text: string): BomLink | null {
  const hash = text.indexOf('#')
  if (hash === -1 || text.slice(0, prefix.length).toLowerCase() !== prefix) return null
  const [, serialNumber, version] = documentPattern.exec(text.slice(0, hash)) ?? []
  const fragment = text.slice(hash + 1)
  const ref = cleanOptional(decodePercent(fragment) ?? fragment, textLimits.identifier)
  if (serialNumber === undefined || ref === null) return null
  return { serialNumber: serialNumber.toLowerCase(), version: Number(version), ref }
}
