import {
  cleanedEntry,
  distinctEntries,
  readCveId,
  readDate,
  readEuvdId,
  type CatalogueEntry,
  type ListedEntries,
} from '../../catalogues/entry.ts'
import { fieldOf, textField, textsField } from '../../../source-files/fields.ts'
import { RefusedData } from '../../../source-files/refused-data.ts'

/** Names under which the dump says that the EU list has an entry: the publisher's page and its data differ. */
const euSources = new Set(['eu_kev', 'eukev_kev'])

/** Whether the first entry of a JSON array is one of the dump of the European database. */
export function isEuvdDumpEntry(entry: unknown): boolean {
  const hasId = textField(entry, 'cveId', 40) !== null || textField(entry, 'euvdId', 40) !== null
  return hasId && fieldOf(entry, 'sources') !== undefined
}

/**
 * The dump of known exploited vulnerabilities of the European vulnerability database. One that only the CISA lists is no entry of the
 * European list. Refuses an entry without any id.
 */
export function readEuvdDump(list: readonly unknown[]): ListedEntries {
  const read = list.map((entry, index) => ({
    entry: readEntry(entry, `/${index}`),
    isEuropean: isOfEuList(entry),
  }))
  return {
    entries: distinctEntries(read.filter((each) => each.isEuropean).map((each) => each.entry)),
    total: list.length,
  }
}

function isOfEuList(entry: unknown): boolean {
  const single = textField(entry, 'sources', 100)
  const sources = single === null ? textsField(entry, 'sources', 100) : [single]
  return sources.some((source) => euSources.has(source.toLowerCase()))
}

function readEntry(entry: unknown, place: string): CatalogueEntry {
  const cveId = readCveId(entry, 'cveId', place)
  const euvdId = readEuvdId(entry, 'euvdId', place)
  const id = cveId ?? euvdId
  if (id === null) throw new RefusedData(`${place}: expected "cveId" or "euvdId", found neither`)
  return {
    cveId,
    euvdId,
    name: id,
    listedOn: readDate(textField(entry, 'dateAdded', 40)),
    raw: cleanedEntry(entry),
  }
}
