import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findFeedFile, type FeedFile } from '../../advisories/feed/feed-file.ts'
import { ServiceError } from '../../contract/errors.ts'
import { isStoreAway } from '../../platform/postgres/store-away.ts'
import { pathOf } from '../answer-error.ts'
import type { HttpDeps } from '../deps.ts'
import { acceptedCodings, isTagKnown } from '../negotiate.ts'

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
  app.get(`${root}*`, undescribed, async (request, reply) => {
    const file = await find(deps, request, reply)
    return file === undefined ? reply : sendFile(file, request, reply)
  })
  app.options(`${root}*`, undescribed, async (request, reply) => {
    if ((await find(deps, request, reply)) === undefined) return reply
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
  { db, baseUrl, log }: HttpDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FeedFile | undefined> {
  try {
    const file = await findFeedFile(db, pathOf(request).slice(root.length), baseUrl)
    if (file === undefined) throw new ServiceError('not_found')
    return file
  } catch (error) {
    if (!isStoreAway(error)) throw error
    log.error({ err: error }, 'the feed cannot be read')
    reply
      .status(503)
      .headers({ 'retry-after': String(retryAfterSeconds), 'cache-control': 'no-store' })
      .type('text/plain; charset=utf-8')
      .send('The feed cannot be read at the moment.')
    return undefined
  }
}

/** The tag is the digest of the file as hashed, whatever coding it is sent in. */
async function sendFile(
  { bytes, type }: FeedFile,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const tag = `"${createHash('sha256').update(bytes).digest('hex')}"`
  reply.headers({ ...sharedHeaders, etag: tag }).type(`${type}; charset=utf-8`)
  if (isTagKnown(request, tag)) return reply.status(304).send()
  const { coding, content } = await packed(bytes, acceptedCodings(request))
  if (coding !== null) reply.header('content-encoding', coding)
  return reply.send(content)
}

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)
/** Below this a coding saves no packet. */
const smallestPackedBytes = 1_024
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

async function packed(
  bytes: Buffer,
  accepted: ReadonlySet<string>,
): Promise<{ coding: 'br' | 'gzip' | null; content: Buffer }> {
  if (bytes.length >= smallestPackedBytes) {
    if (accepted.has('br')) return { coding: 'br', content: await compressBrotli(bytes, brotliOptions) }
    if (accepted.has('gzip')) return { coding: 'gzip', content: await compressGzip(bytes) }
  }
  return { coding: null, content: bytes }
}
