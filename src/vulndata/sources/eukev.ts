import {
  cleanedEntry,
  distinctEntries,
  readCveId,
  readDate,
  readEuvdId,
  readName,
  type CatalogueEntry,
} from '../catalogues/entry.ts'
import { exploitedList } from '../catalogues/exploited-list.ts'
import { listOf, textField } from '../../source-files/fields.ts'
import { RefusedData } from '../../source-files/refused-data.ts'

/** The European list of known exploited vulnerabilities (https://github.com/enisaeu/CNW). */
export const eukev = exploitedList({
  id: 'eukev',
  label: 'EU KEV (ENISA)',
  catalogue: 'euvd',
  feed: {
    variable: 'EUKEV_URL',
    address: 'https://raw.githubusercontent.com/enisaeu/CNW/main/eukev/eukev.json',
  },
  holds: (value) => isEuKevEntry(listOf(value)[0]),
  read: (value) => ({ entries: readEuKev(listOf(value)) }),
})

function isEuKevEntry(entry: unknown): boolean {
  const hasId = textField(entry, 'cveID', 40) !== null || textField(entry, 'euvdID', 40) !== null
  return hasId && textField(entry, 'dateReported', 40) !== null
}

/**
 * The entries of the file, a bare array. Dates have been written YYYY/MM/DD, YY/MM/DD and YYYY-MM-DD, and `exploitationType` as a text
 * and as a list. An entry may have no CVE id. Refuses one that has no id at all.
 */
function readEuKev(list: readonly unknown[]): CatalogueEntry[] {
  return distinctEntries(list.map((entry, index) => readEntry(entry, `/${index}`)))
}

function readEntry(entry: unknown, place: string): CatalogueEntry {
  const cveId = readCveId(entry, 'cveID', place)
  const euvdId = readEuvdId(entry, 'euvdID', place)
  const id = cveId ?? euvdId
  if (id === null) throw new RefusedData(`${place}: expected "cveID" or "euvdID", found neither`)
  return {
    cveId,
    euvdId,
    name: readName(entry, id),
    listedOn: readDate(textField(entry, 'dateReported', 40)),
    raw: cleanedEntry(entry),
  }
}
