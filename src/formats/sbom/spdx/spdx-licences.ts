import { cleanOptional } from '../../json/clean.ts'
import type { JsonObject } from '../../json/object.ts'
import { textLimits } from '../component-fields.ts'

/** What a document calls the licences that are on no list, by their ids. */
export type LicenceNames = ReadonlyMap<string, string>

/** One with a colon in front of it is another document's. */
const reference = /(?<![\w.:-])LicenseRef-[\w.-]+/g

/** Of one id the first that has a name (SPDX 2.3, clause 10). */
export function readLicenceNames(document: JsonObject): LicenceNames {
  const names = new Map<string, string>()
  for (const info of document.lenientObjects('hasExtractedLicensingInfos')) {
    const id = info.lenientString('licenseId')
    const name = cleanOptional(info.lenientString('name'), textLimits.name)
    if (id === null || name === null || name === 'NOASSERTION' || names.has(id)) continue
    names.set(id, name)
  }
  return names
}

/** An expression with the names in the place of what the document alone knows: `LicenseRef-1`. */
export function withLicenceNames(expression: string | null, names: LicenceNames): string | null {
  if (expression === null || names.size === 0) return expression
  const named = expression.replaceAll(reference, (id) => names.get(id) ?? id)
  return cleanOptional(named, textLimits.licence)
}
