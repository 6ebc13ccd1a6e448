import { cleanText } from '../../formats/json/clean.ts'
import { fieldOf, textField } from '../../source-files/fields.ts'
import { RefusedData } from '../../source-files/refused-data.ts'

/** One known exploited vulnerability as a catalogue lists it. At least one of the ids is there. */
export type CatalogueEntry = {
  cveId: string | null
  euvdId: string | null
  name: string
  /** The catalogue's own date, `YYYY-MM-DD`; null where it states none that can be read. */
  listedOn: string | null
  /** The entry as the catalogue wrote it, cleaned for storing. */
  raw: Record<string, unknown>
}

/**
 * What was read from a file; `total`: the number of its entries, including those that are not of the catalogue; `releasedAt`: what it says of
 * its release.
 */
export type ListedEntries = { entries: readonly CatalogueEntry[]; total?: number; releasedAt?: Date | null }

const cveForm = /^CVE-\d{4}-\d{4,19}$/
const euvdForm = /^EUVD-\d{4}-\d{1,19}$/
const maxNameLength = 300
const maxTextLength = 20_000
const maxDepth = 6

/** A CVE id under a key, in its official spelling; null where there is none. Refuses what is no CVE id. */
export function readCveId(entry: unknown, key: string, place: string): string | null {
  return readId(entry, { key, form: cveForm, place })
}

/** As `readCveId`, for ids of the European database. */
export function readEuvdId(entry: unknown, key: string, place: string): string | null {
  return readId(entry, { key, form: euvdForm, place })
}

function readId(
  entry: unknown,
  { key, form, place }: { key: string; form: RegExp; place: string },
): string | null {
  const id = textField(entry, key, 40)?.toUpperCase() ?? null
  if (id !== null && !form.test(id))
    throw new RefusedData(`${place}: "${key}" is not an id of the expected form`)
  return id
}

/** What the catalogue calls the vulnerability: its name, else vendor and product, else the id. */
export function readName(entry: unknown, id: string): string {
  const name = textField(entry, 'vulnerabilityName', maxNameLength)
  if (name !== null) return name
  const words = [textField(entry, 'vendorProject', maxNameLength), textField(entry, 'product', maxNameLength)]
  return words.filter((word) => word !== null).join(' ') || id
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const numericDate = /^(\d{4}|\d{2})[/-](\d{1,2})[/-](\d{1,2})(?:$|[T ])/
const wordedDate = /^([A-Za-z]{3})[a-z]{0,6} (\d{1,2}), (\d{4})/

/** A date in any spelling the catalogues have used: 2025-04-16, 2025/04/16, 25/04/16, `Apr 16, 2025, 7:00:16 AM`. */
export function readDate(text: string | null): string | null {
  if (text === null) return null
  const numeric = numericDate.exec(text)
  if (numeric !== null) return dateOf(Number(numeric[1]), Number(numeric[2]), Number(numeric[3]))
  const worded = wordedDate.exec(text)
  if (worded === null) return null
  return dateOf(Number(worded[3]), months.indexOf((worded[1] ?? '').toLowerCase()) + 1, Number(worded[2]))
}

function dateOf(year: number, month: number, day: number): string | null {
  const fullYear = year < 100 ? 2000 + year : year
  const at = new Date(Date.UTC(fullYear, month - 1, day))
  const isReal = at.getUTCMonth() === month - 1 && at.getUTCDate() === day
  return isReal ? at.toISOString().slice(0, 10) : null
}

/** The entry as it may be stored: texts cleaned and cut, depth bounded. */
export function cleanedEntry(value: unknown): Record<string, unknown> {
  const cleaned = cleanedValue(value, 0)
  return typeof cleaned === 'object' && cleaned !== null && !Array.isArray(cleaned)
    ? (cleaned as Record<string, unknown>)
    : {}
}

function cleanedValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value, maxTextLength)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= maxDepth) return null
  if (Array.isArray(value)) return value.map((item) => cleanedValue(item, depth + 1))
  const pairs = Object.keys(value).map((key): [string, unknown] => [
    cleanText(key, 200),
    cleanedValue(fieldOf(value, key), depth + 1),
  ])
  return Object.fromEntries(pairs)
}

/**
 * One entry per vulnerability: a catalogue that names one twice is read by the earlier date, and an entry with an EUVD id alone is
 * left out where another entry gives the CVE id to it.
 */
export function distinctEntries(entries: readonly CatalogueEntry[]): CatalogueEntry[] {
  const byId = new Map<string, CatalogueEntry>()
  const named = new Set(entries.flatMap((entry) => (entry.cveId === null ? [] : (entry.euvdId ?? []))))
  for (const entry of entries) {
    if (entry.cveId === null && named.has(entry.euvdId ?? '')) continue
    const id = entry.cveId ?? entry.euvdId ?? ''
    const known = byId.get(id)
    if (known === undefined || (entry.listedOn ?? '9999') < (known.listedOn ?? '9999')) byId.set(id, entry)
  }
  return [...byId.values()]
}
