import { isUtf8 } from 'node:buffer'
import { cleanOptional } from '../json/clean.ts'
import {
  maxNameCharacters,
  maxWordCharacters,
  withoutPrefix,
  type NotificationProject,
} from './notification.ts'

/** What the beginning of a notification says whose rest was not read or is not JSON. */
export type NotificationHead = { group: string | null; project: NotificationProject }

const deepest = 64
const places = {
  group: '/notification/group',
  id: '/notification/subject/project/uuid',
  name: '/notification/subject/project/name',
  version: '/notification/subject/project/version',
} as const

/**
 * Reads from the first bytes of a body which project it is about, if they say so. The platform's template writes the project before
 * the BOM. A body that is cut off early, or is not JSON, tells nothing; none is refused.
 */
export function readNotificationHead(bytes: Uint8Array): NotificationHead {
  const found = stringsAt(textOf(bytes))
  const of = (place: string, limit: number) => cleanOptional(found.get(place), limit)
  return {
    group: withoutPrefix(of(places.group, maxWordCharacters), 'GROUP_'),
    project: {
      id: of(places.id, maxWordCharacters),
      name: of(places.name, maxNameCharacters),
      version: of(places.version, maxNameCharacters),
    },
  }
}

/** UTF-8, possibly cut within its last character; else ISO-8859-1, which senders before 4.14 encode in. */
function textOf(bytes: Uint8Array): string {
  for (let cut = 0; cut < 4; cut += 1) {
    const whole = bytes.subarray(0, Math.max(0, bytes.length - cut))
    if (isUtf8(whole)) return Buffer.from(whole).toString('utf8')
  }
  return Buffer.from(bytes).toString('latin1')
}

/** A JSON string, or one of the marks that give strings their places. */
const token = /"(?:[^"\\]|\\[^])*"|[{}[\],]/g
const isKey = /\s*:/y
/** Where the text ends behind a string, it may have been a key. */
const isValue = /\s*[,\]}]/y

/** The complete strings of a text that begins as JSON, by their place; of several in one place the last, as JSON.parse has it. */
function stringsAt(text: string): Map<string, string> {
  const wanted = new Set<string>(Object.values(places))
  const found = new Map<string, string>()
  /** Of each open object the key read last, of each list null. */
  const path: (string | null)[] = []
  let end = 0
  for (const { 0: part, index } of text.matchAll(token)) {
    // a quotation mark in between belongs to a truncated string: what follows is not structure
    if (text.slice(end, index).includes('"')) break
    end = index + part.length
    if (part === '{' || part === '[') path.push(part === '{' ? '' : null)
    else if (part === '}' || part === ']') path.pop()
    else if (part !== ',') takeString(part, end)
    if (path.length > deepest) break
  }
  return found

  function follows(pattern: RegExp, after: number): boolean {
    pattern.lastIndex = after
    return pattern.test(text)
  }

  function takeString(part: string, after: number): void {
    if (follows(isKey, after)) path.splice(-1, 1, stringOf(part) ?? '')
    else if (follows(isValue, after) && path.every((key) => key !== null)) {
      const place = `/${path.join('/')}`
      const value = wanted.has(place) ? stringOf(part) : undefined
      if (value !== undefined) found.set(place, value)
    }
  }
}

function stringOf(part: string): string | undefined {
  try {
    return JSON.parse(part) as string
  } catch {
    // control characters or an escape that JSON does not know
    return undefined
  }
}
