import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { KeptFiles, type Coding, type KeptFile } from '../../advisories/feed/kept-files.ts'
import type { FeedFile } from '../../advisories/feed/feed-file.ts'
import { ServiceError } from '../../contract/errors.ts'
import { isStoreAway } from '../../platform/postgres/store-away.ts'
import type { HttpDeps } from '../deps.ts'
import { isTagKnown, isUnmodifiedSince, preferredCoding } from '../negotiate.ts'
import { logOf, pathOf } from '../request-log.ts'

const root = '/csaf/'
const retryAfterSeconds = 5
/** CSAF says what a feed is: it is no part of the API's description. */
const undescribed = { schema: { hide: true } }

const sharedHeaders = {
  'access-control-allow-origin': '*',
  'cache-control': 'public, max-age=300, stale-while-revalidate=60',
  'x-content-type-options': 'nosniff',
  vary: 'Accept-Encoding',
}

/**
 * The public CSAF feed below `/csaf` (docs/public-api.md, "Public CSAF feed"): GET and HEAD, OPTIONS for other sites' scripts; everything else is
 * answered 405, and whatever is no file of a feed 404.
 */
export function registerFeed(app: FastifyInstance, deps: HttpDeps): void {
  const files = new KeptFiles(deps.db, deps.baseUrl)
  app.get(`${root}*`, undescribed, async (request, reply) => {
    const kept = await find(files, request, reply)
    return kept === undefined ? reply : sendFile({ files, kept }, request, reply)
  })
  app.options(`${root}*`, undescribed, async (request, reply) => {
    if ((await find(files, request, reply)) === undefined) return reply
    return reply
      .headers({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD, OPTIONS',
        'access-control-allow-headers': '*',
        'access-control-max-age': '86400',
        allow: 'GET, HEAD, OPTIONS',
      })
      .status(204)
      .send()
  })
}

/** Undefined: the answer is sent, 503 while the store is away, because readers take a 404 for a withdrawal. Codes: `not_found`. */
async function find(
  files: KeptFiles,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<KeptFile | undefined> {
  try {
    const kept = await files.find(placeOf(request))
    if (kept === undefined) throw new ServiceError('not_found')
    return kept
  } catch (error) {
    if (!isStoreAway(error)) throw error
    logOf(request).error({ err: error }, 'the feed cannot be read')
    reply
      .status(503)
      .headers({ 'retry-after': String(retryAfterSeconds), 'cache-control': 'no-store' })
      .type('text/plain; charset=utf-8')
      .send('The feed cannot be read at the moment.')
    return undefined
  }
}

/** The path below `/csaf/`. */
function placeOf(request: FastifyRequest): string {
  return pathOf(request).slice(root.length)
}

/** The tag is the digest of the file as hashed, whatever coding it is sent in. */
async function sendFile(
  { files, kept }: { files: KeptFiles; kept: KeptFile },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const headers = headersOf(kept.file)
  reply.headers(headers)
  if (isKnown(kept.file, request, headers.etag)) return reply.status(304).send()
  const coding = kept.file.bytes.length < smallestPackedBytes ? null : preferredCoding(request, codings)
  if (coding === null) return reply.send(kept.file.bytes)
  return reply.header('content-encoding', coding).send(await packed(files, { request, kept, coding }))
}

type FileHeaders = typeof sharedHeaders & { etag: string; 'content-type': string; 'last-modified'?: string }

const writtenHeaders = new WeakMap<FeedFile, FileHeaders>()

/** Written once for each file that is kept: a file is asked for thousands of times a second. */
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

/** What a client has is what it would be sent; a tag it names counts alone (RFC 9110, 13.2.2). */
function isKnown(file: FeedFile, request: FastifyRequest, tag: string): boolean {
  if (request.headers['if-none-match'] !== undefined) return isTagKnown(request, tag)
  if (file.lastModified === null || file.isAmbiguous) return false
  return isUnmodifiedSince(request, file.lastModified)
}

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)
/** Below this a coding saves no packet. */
const smallestPackedBytes = 1_024
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
const codings: readonly Coding[] = ['br', 'gzip']

type Packing = { request: FastifyRequest; kept: KeptFile; coding: Coding }

async function packed(files: KeptFiles, { request, kept, coding }: Packing): Promise<Buffer> {
  const known = kept.packed.get(coding)
  if (known !== undefined) return known
  const { bytes } = kept.file
  const content = coding === 'br' ? await compressBrotli(bytes, brotliOptions) : await compressGzip(bytes)
  files.keepPacked(placeOf(request), kept, { coding, content })
  return content
}
