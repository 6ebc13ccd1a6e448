import { existingTime } from '../../contract/calendar.ts'
import { statedDigestOf } from '../digest.ts'
import { cleanOptional, cleanText } from '../json/clean.ts'
import type { JsonObject, Place } from '../json/object.ts'
import { shortenedPurl } from '../purl/shortened-purl.ts'
import type { SbomComponent } from './document.ts'
import type { Hints } from './hints.ts'

/** Code points kept of each text. */
export const textLimits = {
  reference: 2_000,
  name: 500,
  version: 200,
  versionRange: 500,
  purl: 2_000,
  cpe: 500,
  licence: 4_000,
  vulnerabilityId: 100,
  tool: 200,
  documentId: 2_000,
  repository: 1_000,
  origin: 1_000,
} as const

/** Red Hat's documents on source packages have a purl for each repository of a package, Syft's a CPE for each possible vendor. */
const maxOthers = 20

const maxHashes = 8
/** Of one list: plugins of build tools write a digest of each of seventeen algorithms, others one of each wheel. */
const maxListed = 200
const maxHashCharacters = 256
const maxAlgorithmCharacters = 20
const maxTimeCharacters = 40

/** The reference of a component as it is stored; null when nothing of it can be. */
export function cleanReference(ref: string | null): string | null {
  return cleanOptional(ref, textLimits.reference)
}

/** A purl as it is stored; null when nothing of it can be. */
export function cleanPurl(purl: string | null | undefined): string | null {
  return cleanOptional(purl && shortenedPurl(purl, textLimits.purl), textLimits.purl)
}

/** A CPE name as it is stored; null when nothing of it can be. */
export function cleanCpe(cpe: string | null | undefined): string | null {
  return cleanOptional(cpe, textLimits.cpe)
}

/** Texts that say where a component is from, as one; null where there is none. */
export function originOf(texts: readonly (string | null | undefined)[]): string | null {
  const said = texts.flatMap((text) => cleanOptional(text, textLimits.origin) ?? [])
  return cleanOptional(said.join('\n'), textLimits.origin)
}

/** Names beside the chosen one, each once; those over the limit are left out with a hint. */
export function otherNames(
  names: readonly string[],
  { chosen, clean }: { chosen: string | null; clean: (name: string) => string | null },
  noteLeftOut: () => void,
): string[] {
  if (names.length === 0) return []
  const others = [...new Set(names.flatMap((name) => clean(name) ?? []))].filter((other) => other !== chosen)
  if (others.length > maxOthers) noteLeftOut()
  return others.slice(0, maxOthers)
}

/** Notes what a component lacks or has in an unreadable form. Package URLs and CPE names are judged by their prefix only. */
export function noteDefects(component: SbomComponent, place: Place, hints: Hints): void {
  const { purl, cpe } = component
  if (component.version === null) hints.note('missing_version', place)
  const isNamed = purl !== null || cpe !== null || component.concludedCpes !== undefined
  if (!isNamed) hints.note('missing_identifier', place)
  if (component.licence === null) hints.note('missing_licence', place)
  if (component.supplier === null) hints.note('missing_supplier', place)
  if (purl !== null && !hasPurlShape(purl)) hints.note('unreadable_purl', place)
  if (cpe !== null && !hasCpeShape(cpe)) hints.note('unreadable_cpe', place)
}

/** The hashes of a component, and those beyond as many as are kept as such: digests of it nevertheless. */
export function hashesAndMore(listed: readonly string[]): { hashes: string[]; others: string[] } {
  return { hashes: listed.slice(0, maxHashes), others: listed.slice(maxHashes) }
}

/**
 * `sha256:…` for each entry of a list of hashes; anything but a hash of a known algorithm is left out with a hint.
 * `keys` name the algorithm and the value: the two formats spell them differently.
 */
export function readHashes(
  entries: Iterable<JsonObject>,
  keys: { algorithm: string; value: string },
  hints: Hints,
): string[] {
  const hashes: string[] = []
  for (const entry of entries) {
    if (hashes.length === maxListed) break
    const hash = hashText(entry.lenientString(keys.algorithm), entry.lenientString(keys.value))
    if (hash === null) hints.note('unreadable_hash', entry.place)
    else hashes.push(hash)
  }
  return hashes
}

function hashText(algorithm: string | null, value: string | null): string | null {
  if (algorithm === null || algorithm.length > maxAlgorithmCharacters) return null
  if (value === null || value.length > maxHashCharacters) return null
  return statedDigestOf(algorithm, value)
}

/** RFC 3339, and what ISO 8601 and common libraries have besides: no seconds (Java), a space in the middle (Python), an offset without a colon. */
const dateTime =
  /^(?<day>\d{4}-\d\d-\d\d)[T ](?<time>\d\d:\d\d)(?<seconds>:\d\d(?:\.\d{1,9})?)?(?:Z|(?<hours>[+-]\d\d):?(?<minutes>\d\d))?$/i

/** ISO 8601 UTC of the date-time under the key; null with a hint when it is none. */
export function readTime(entry: JsonObject, key: string, hints: Hints): string | null {
  const value = entry.get(key) ?? null
  const time = utcTime(value)
  if (value !== null && time === null) hints.note('unreadable_time', entry.at(key))
  return time
}

/** ISO 8601 UTC with milliseconds of a date-time, without an offset UTC; null for any other value. */
export function utcTime(value: unknown): string | null {
  const text = typeof value === 'string' ? cleanText(value, maxTimeCharacters) : ''
  const { day, time, seconds = ':00', hours, minutes } = dateTime.exec(text)?.groups ?? {}
  if (day === undefined || time === undefined) return null
  const offset = hours === undefined ? 'Z' : `${hours}:${minutes}`
  return existingTime(`${day}T${time}${seconds}${offset}`)?.toISOString() ?? null
}

export function hasPurlShape(purl: string): boolean {
  return purl.slice(0, 4).toLowerCase() === 'pkg:' && purl.includes('/', 4)
}

export function hasCpeShape(cpe: string): boolean {
  const start = cpe.slice(0, 8).toLowerCase()
  return start.startsWith('cpe:2.3:') || start.startsWith('cpe:/')
}
