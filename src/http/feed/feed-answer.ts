import type { FeedFile } from '../../advisories/feed/feed-file.ts'
import type { Coding } from '../../advisories/feed/kept-files.ts'
import {
  isForAnotherState,
  isTagKnown,
  isUnmodifiedSince,
  preferredCoding,
  type Asking,
} from '../negotiate.ts'

export const feedRoot = '/csaf/'

/** How a request for a file is answered; `coding` null: with the bytes as they are. Undefined: 412, it is not in the state that was asked for. */
export type FeedAnswer = { status: 200 | 304; headers: FileHeaders; coding: Coding | null } | undefined

type FileHeaders = typeof sharedHeaders & { etag: string; 'content-type': string; 'last-modified'?: string }

const sharedHeaders = {
  'access-control-allow-origin': '*',
  'cache-control': 'public, max-age=300, stale-while-revalidate=60',
  'x-content-type-options': 'nosniff',
  vary: 'Accept-Encoding',
}
/** Below this a coding saves no packet. */
const minPackedBytes = 1_024
const codings: readonly Coding[] = ['br', 'gzip']

/** The tag is the digest of the file as hashed, whatever coding it is sent in. */
export function answerOf(file: FeedFile, request: Asking): FeedAnswer {
  const headers = headersOf(file)
  if (isForAnotherState(request, { tag: headers.etag, time: file.lastModified })) return undefined
  if (isKnown(file, request, headers.etag)) return { status: 304, headers, coding: null }
  const coding = file.bytes.length < minPackedBytes ? null : preferredCoding(request, codings)
  return { status: 200, headers, coding }
}

const writtenHeaders = new WeakMap<FeedFile, FileHeaders>()

/** Built once for each cached file, which may be asked for thousands of times a second. */
function headersOf(file: FeedFile): FileHeaders {
  const known = writtenHeaders.get(file)
  if (known !== undefined) return known
  const { sha256, type, lastModified } = file
  const headers = {
    ...sharedHeaders,
    etag: `"${sha256}"`,
    'content-type': `${type}; charset=utf-8`,
    ...(lastModified === null ? {} : { 'last-modified': lastModified.toUTCString() }),
  }
  writtenHeaders.set(file, headers)
  return headers
}

/** Whether the client already has what it would be sent; if it names a tag, only that counts (RFC 9110, 13.2.2). */
function isKnown(file: FeedFile, request: Asking, tag: string): boolean {
  if (request.headers['if-none-match'] !== undefined) return isTagKnown(request, tag)
  if (file.lastModified === null || file.isAmbiguous) return false
  return isUnmodifiedSince(request, file.lastModified)
}
