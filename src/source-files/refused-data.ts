import { OutboundError } from '../platform/outbound/outbound-error.ts'

/**
 * Vulnerability data that is refused, with what was expected and what was found. The last good data stays, and the
 * message is shown as the state of its source.
 */
export class RefusedData extends Error {
  override name = 'RefusedData'
}

/** Data that another import has taken over while this one fetched it. */
export class Superseded extends RefusedData {
  override name = 'Superseded'
}

/** `what` is asked for, where a source has several files. */
export function refuseUnlessOk(status: number, what?: string): void {
  if (status === 200) return
  throw new RefusedData(`${what === undefined ? '' : `${what}: `}expected status 200, found ${status}`)
}

/** What to show of a failed attempt; null for an error that is no fault of the data or its source. */
export function reasonOf(error: unknown): string | null {
  return error instanceof RefusedData || error instanceof OutboundError ? error.message : null
}

/** The same; any other error is thrown again. */
export function reasonElseThrow(error: unknown): string {
  const reason = reasonOf(error)
  if (reason === null) throw error
  return reason
}

const shownCharacters = 60

/** How others begin, read as UTF-8. */
const archives: readonly (readonly [beginning: string, name: string])[] = [
  ['\u001f\ufffd', 'a gzip file'],
  ['PK\u0003\u0004', 'a zip file'],
  ['PK\u0005\u0006', 'a zip file'],
  ['BZh', 'a bzip2 file'],
]

/** The beginning of foreign content in words, for messages: `an HTML page`, `a gzip file`, `nothing`, `content beginning "…"`. */
export function describeContent(head: Uint8Array): string {
  const text = Buffer.from(head.subarray(0, 1_024))
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart()
  if (text === '') return 'nothing'
  const archive = archives.find(([beginning]) => text.startsWith(beginning))
  if (archive !== undefined) return archive[1]
  if (text.includes('\0')) return 'binary data'
  if (text.startsWith('<'))
    return /^<(!doctype html|html|head|body)/i.test(text) ? 'an HTML page' : 'an XML document'
  const line = text.slice(0, shownCharacters).replaceAll(/[\p{Cc}\p{Cs}\ufffd]/gu, '?')
  return `content beginning "${line}"`
}
