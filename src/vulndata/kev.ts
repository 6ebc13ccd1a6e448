import {
  cleanedEntry,
  distinctEntries,
  readCveId,
  readDate,
  readName,
  type CatalogueEntry,
} from './catalogues/entry.ts'
import { fieldOf, listField, textField } from './osv/fields.ts'
import { RefusedData } from './refused-data.ts'

/** Whether parsed JSON is the catalogue of the CISA (its envelope, whatever its content). */
export function isKev(value: unknown): boolean {
  return Array.isArray(fieldOf(value, 'vulnerabilities')) && textField(value, 'catalogVersion', 40) !== null
}

/**
 * The entries of CISA's catalogue of known exploited vulnerabilities. Refuses (`RefusedData`) a file whose `count` is not the number
 * of its entries, or an entry without a CVE id: published versions have been cut off in the middle.
 */
export function readKev(value: unknown): CatalogueEntry[] {
  const list = listField(value, 'vulnerabilities')
  const count = fieldOf(value, 'count')
  if (count !== list.length) {
    throw new RefusedData(`expected the ${String(count)} entries the catalogue counts, found ${list.length}`)
  }
  return distinctEntries(list.map((entry, index) => readEntry(entry, `/vulnerabilities/${index}`)))
}

function readEntry(entry: unknown, place: string): CatalogueEntry {
  const cveId = readCveId(entry, 'cveID', place)
  if (cveId === null) throw new RefusedData(`${place}: expected "cveID", found none`)
  return {
    cveId,
    euvdId: null,
    name: readName(entry, cveId),
    listedOn: readDate(textField(entry, 'dateAdded', 40)),
    raw: cleanedEntry(entry),
  }
}
