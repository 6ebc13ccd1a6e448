import { cleanOptional, cleanText } from '../json/clean.ts'
import type { JsonObject } from '../json/object.ts'
import { utcTime } from '../sbom/component-fields.ts'
import { justificationOf } from './justification-words.ts'
import type { VexHints } from './hints.ts'
import type { Justification, VexFormat } from '../../contract/vex/shapes.ts'

/** Code points kept of each text. */
export const textLimits = {
  identifier: 2_000,
  vulnerabilityId: 200,
  text: 4_000,
  word: 100,
  label: 500,
  documentId: 2_000,
  author: 500,
  version: 200,
} as const

const maxVulnerabilityIds = 100
const cve = /^cve-\d{4}-\d{4,}$/i
/** Otherwise line ends and tabs would vanish with the other control characters and join two words. */
const lineBreaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g

type Present<T> = { [K in keyof T]?: NonNullable<T[K]> }

/** The fields that have a value. It runs for every target, so it makes no lists of its own. */
export function present<T extends object>(fields: T): Present<T> {
  const found: Present<T> = {}
  for (const key of Object.keys(fields) as (keyof T)[]) {
    const value = fields[key]
    if (value !== null && value !== undefined) found[key] = value
  }
  return found
}

/** A text of the document as it is stored; null when absent, empty or no string. */
export function readText(entry: JsonObject | null | undefined, key: string): string | null {
  return entry ? cleanOptional(entry.lenientString(key)?.replaceAll(lineBreaks, ' '), textLimits.text) : null
}

/** A short text such as a name or a word; null when absent, empty or no string. */
export function readWord(
  entry: JsonObject | null,
  key: string,
  limit: number = textLimits.word,
): string | null {
  return cleanOptional(entry?.lenientString(key), limit)
}

/** ISO 8601 UTC; null when absent, or with a hint when it is no date-time. */
export function readTime(entry: JsonObject | null | undefined, key: string, hints: VexHints): string | null {
  const value = entry?.get(key) ?? null
  if (!entry || value === null) return null
  const time = utcTime(value)
  if (time === null) hints.note('unreadable_time', entry.at(key))
  return time
}

/** The label and the word of the document; a word that is no label is kept with a hint. */
export function readJustification(
  format: VexFormat,
  entry: JsonObject,
  key: string,
  hints: VexHints,
): { label: Justification | null; raw: string | null } {
  const raw = readWord(entry, key)
  const label = raw === null ? null : (justificationOf(format, raw) ?? null)
  if (raw !== null && label === null) hints.note('unknown_justification', entry.at(key))
  return { label, raw }
}

/** Each id once, at most 100, in their order. CVE ids are written in upper case whatever the document does. */
export function vulnerabilityIds(names: Iterable<string | null>): string[] {
  const ids = new Set<string>()
  for (const name of names) {
    if (ids.size === maxVulnerabilityIds) break
    const id = cleanText(name ?? '', textLimits.vulnerabilityId)
    if (id !== '') ids.add(cve.test(id) ? id.toUpperCase() : id)
  }
  return [...ids]
}
