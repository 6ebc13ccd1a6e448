import { isUtf8 } from 'node:buffer'
import { looksEmpty } from '../../contract/hidden-characters.ts'

/** Control characters (PostgreSQL refuses NUL in text) and surrogates without their other half (refused in jsonb). */
const unstorable = /[\p{Cc}\p{Cs}]/gu
/** Surrogates, paired or not, and control characters: far cheaper to search for than code points, and rare. */
// oxlint-disable-next-line no-control-regex -- they are what it looks for
const suspicious = /[\u0000-\u001f\u007f-\u009f\ud800-\udfff]/
const pieceLength = 10_000

/**
 * Foreign text as it may be stored and shown: control characters and lone surrogates removed, ends trimmed,
 * cut to `maxCodePoints` Unicode code points. Where nobody would see any of it (U+200B), it is empty.
 */
export function cleanText(text: string, maxCodePoints: number): string {
  const storable = suspicious.test(text) ? storableStart(text, maxCodePoints * 2) : text
  const cut = cutCodePoints(storable.trim(), maxCodePoints).trimEnd()
  // most texts begin with a character of ASCII
  return cut.charCodeAt(0) > 0x7f && looksEmpty(cut) ? '' : cut
}

/**
 * The storable beginning of a text, at least so many units of it after trimming. The text may be as long as its document, so it
 * is cleaned piece by piece: `replaceAll` lists all matches first.
 */
function storableStart(text: string, units: number): string {
  let storable = ''
  for (let start = 0; start < text.length && storable.length < units;) {
    const edge = start + pieceLength
    const end = isHighSurrogate(text.charCodeAt(edge - 1)) ? edge + 1 : edge
    storable = (storable + text.slice(start, end).replaceAll(unstorable, '')).trimStart()
    start = end
  }
  return storable
}

/** A pair must not be split. */
function isHighSurrogate(codeUnit: number): boolean {
  return codeUnit >= 0xd800 && codeUnit <= 0xdbff
}

/** The cleaned text, or null where nothing is left: an empty value counts as absent. */
export function cleanOptional(text: string | null | undefined, maxCodePoints: number): string | null {
  if (text === undefined || text === null) return null
  return cleanText(text, maxCodePoints) || null
}

/**
 * A header value as its sender wrote it, cleaned and cut; null when absent or blank.
 * Node hands header bytes over as ISO-8859-1: they are read as UTF-8 where they are valid UTF-8, else kept.
 */
export function headerText(value: string | undefined, maxCodePoints: number): string | null {
  if (value === undefined) return null
  const bytes = Buffer.from(value, 'latin1')
  return cleanOptional(isUtf8(bytes) ? bytes.toString('utf8') : value, maxCodePoints)
}

/** At most `max` code points from the front; a surrogate pair is never split. */
function cutCodePoints(text: string, max: number): string {
  if (text.length <= max) return text
  let end = 0
  for (let counted = 0; counted < max && end < text.length; counted += 1) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  }
  return text.slice(0, end)
}
