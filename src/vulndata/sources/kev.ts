import { existingTime } from '../../contract/calendar.ts'
import {
  cleanedEntry,
  distinctEntries,
  readCveId,
  readDate,
  readName,
  type CatalogueEntry,
} from '../catalogues/entry.ts'
import { exploitedList } from '../catalogues/exploited-list.ts'
import { fieldOf, listField, textField } from '../../source-files/fields.ts'
import { RefusedData } from '../../source-files/refused-data.ts'

/** CISA's catalogue of known exploited vulnerabilities (https://www.cisa.gov/known-exploited-vulnerabilities-catalog). */
export const kev = exploitedList({
  id: 'kev',
  label: 'CISA KEV',
  catalogue: 'kev',
  feed: {
    variable: 'KEV_URL',
    address: 'https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json',
    // the publisher blocks some networks; its own copy elsewhere is minutes behind
    fallback: 'https://raw.githubusercontent.com/cisagov/kev-data/HEAD/known_exploited_vulnerabilities.json',
  },
  holds: (value) =>
    Array.isArray(fieldOf(value, 'vulnerabilities')) && textField(value, 'catalogVersion', 40) !== null,
  read: (value) => ({ entries: readKev(value), releasedAt: releaseOf(value) }),
})

function releaseOf(value: unknown): Date | null {
  const text = textField(value, 'dateReleased', 40)
  return text === null ? null : existingTime(text)
}

/**
 * Refuses (`RefusedData`) a file whose `count` is not the number of its entries, or an entry without a CVE id: published versions have
 * been cut off in the middle.
 */
function readKev(value: unknown): CatalogueEntry[] {
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
