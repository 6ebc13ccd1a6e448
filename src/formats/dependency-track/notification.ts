import { isUtf8 } from 'node:buffer'
import { ServiceError } from '../../contract/errors.ts'
import { cleanOptional, cleanText } from '../json/clean.ts'
import { JsonObject, kindOf } from '../json/object.ts'
import { parseJson } from '../json/parse.ts'

/** The project of a notification as far as it says; texts are clean and cut. */
export type NotificationProject = { id: string | null; name: string | null; version: string | null }

/** A notification of OWASP Dependency-Track: the outbound webhook's default template, version 4.11 and later. */
export type Notification = {
  /** Without the `GROUP_` of version 5. */
  group: string
  level: string | null
  scope: string | null
  /** The platform's local time without a zone: not an instant. */
  timestamp: string | null
  project: NotificationProject
  kind: 'test' | 'bom' | 'other'
  envelope: JsonObject
  subject: JsonObject | null
}

const bomGroups = new Set(['BOM_CONSUMED', 'BOM_PROCESSED'])
export const maxWordCharacters = 100
export const maxNameCharacters = 300

/** What the platform writes in place of a BOM: version 5 leaves out every BOM, a test has a word instead. */
const omittedContent = '(Omitted)'
const testContent = 'bomContent'
const testTitle = '[TEST] '
const testText = 'Rule configuration test'

/**
 * Reads the envelope of a notification. Unknown fields are ignored, missing ones are absent, the order of keys means nothing.
 * Bodies that are not UTF-8 are ISO-8859-1: senders before 4.14 encode so.
 *
 * Codes: `invalid_json`, `invalid_notification` (`detail` has the place that is missing or wrong).
 */
export function readNotification(bytes: Uint8Array): Notification {
  const value = parseJson(utf8Of(bytes), 'notification')
  const root = JsonObject.root(value, 'invalid_notification')
  if (root === undefined) throw invalid(`the body: expected an object, found ${kindOf(value)}`)
  const notification = root.lenientObject('notification') ?? root.refuse('notification', 'an object')
  const group =
    withoutPrefix(readWord(notification, 'group'), 'GROUP_') ??
    notification.refuse('group', 'the name of a group', wordFound(notification, 'group'))
  const subject = notification.lenientObject('subject')
  return {
    group,
    level: withoutPrefix(readWord(notification, 'level'), 'LEVEL_'),
    scope: withoutPrefix(readWord(notification, 'scope'), 'SCOPE_'),
    timestamp: readWord(notification, 'timestamp'),
    project: readProject(subject?.lenientObject('project') ?? null),
    kind: kindOfNotification(notification, group),
    envelope: notification,
    subject,
  }
}

/** What is in the place of the BOM in a notification of a BOM group; null when nothing does. Codes: `invalid_notification`. */
export function bomContent({ subject, envelope }: Notification): string | null {
  if (subject === null) return envelope.refuse('subject', 'an object')
  subject.optionalObject('project')
  return subject.optionalObject('bom')?.optionalString('content') ?? null
}

/** Any one of three marks makes a test; there is no group of its own for it. */
function kindOfNotification(notification: JsonObject, group: string): Notification['kind'] {
  const content = notification.lenientObject('subject')?.lenientObject('bom')?.get('content')
  const isTest =
    content === testContent ||
    notification.get('content') === testText ||
    notification.lenientString('title')?.startsWith(testTitle) === true
  if (isTest) return 'test'
  return bomGroups.has(group) ? 'bom' : 'other'
}

function readProject(project: JsonObject | null): NotificationProject {
  return {
    id: readWord(project, 'uuid'),
    name: cleanOptional(project?.lenientString('name'), maxNameCharacters),
    version: cleanOptional(project?.lenientString('version'), maxNameCharacters),
  }
}

function readWord(entry: JsonObject | null, key: string): string | null {
  return cleanOptional(entry?.lenientString(key), maxWordCharacters)
}

/** A word as written, where that says more than its kind. */
function wordFound(entry: JsonObject, key: string): string {
  const word = entry.lenientString(key) ?? ''
  return word === '' ? kindOf(entry.get(key)) : JSON.stringify(cleanText(word, maxWordCharacters))
}

/** Version 5 writes the names of its enumerations before their values. */
export function withoutPrefix(word: string | null, prefix: string): string | null {
  return word === null || !word.startsWith(prefix) ? word : word.slice(prefix.length) || null
}

/** Standard base64 with padding and without line breaks. */
const base64 = /^[A-Za-z0-9+/]+={0,2}$/

/** The bytes of the BOM. Codes: `bom_omitted`, `invalid_notification` (no base64). */
export function decodeBom(content: string | null): Uint8Array {
  const text = (content ?? '').trim()
  if (text === '' || text === omittedContent) {
    throw new ServiceError('bom_omitted', {
      message:
        'The notification carries no BOM. Dependency-Track 5 leaves it out: export the BOM from the API of the platform and send it to /api/v1/sboms with X-Service-Source: sbom_tracker.',
    })
  }
  if (text.length % 4 !== 0 || !base64.test(text)) {
    throw invalid(`/notification/subject/bom/content: expected base64, found "${cleanText(text, 20)}"`)
  }
  return Buffer.from(text, 'base64')
}

function utf8Of(bytes: Uint8Array): Uint8Array {
  return isUtf8(bytes) ? bytes : Buffer.from(Buffer.from(bytes).toString('latin1'), 'utf8')
}

function invalid(detail: string): ServiceError {
  return new ServiceError('invalid_notification', { detail })
}
