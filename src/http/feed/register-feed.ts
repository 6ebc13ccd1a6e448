import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Coding, KeptFile, KeptFiles } from '../../advisories/feed/kept-files.ts'
import { ServiceError } from '../../contract/errors.ts'
import { isStoreAway } from '../../platform/postgres/store-away.ts'
import { pathOf } from '../request-log.ts'
import { answerOtherState } from '../exchange/answer-other-state.ts'
import { answerFeedError } from './answer-feed-error.ts'
import { foundAhead } from './answer-kept.ts'
import { answerOf, feedRoot } from './feed-answer.ts'

/** CSAF says what a feed is: it is no part of the API's description. */
const undescribed = { schema: { hide: true } }

/**
 * The public CSAF feed below `/csaf` (docs/public-api.md, "Public CSAF feed"): GET and HEAD, OPTIONS for other sites' scripts; other methods get
 * 405, and anything that is not a file of a feed 404.
 */
export function registerFeed(app: FastifyInstance, files: KeptFiles): void {
  app.get(`${feedRoot}*`, undescribed, async (request, reply) => {
    const kept = await find(files, request, reply)
    return kept === undefined ? reply : sendFile({ files, kept }, request, reply)
  })
  app.options(`${feedRoot}*`, undescribed, async (request, reply) => {
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
    const kept = await (foundAhead.get(request.raw)?.found ?? files.find(placeOf(request)))
    if (kept === undefined) throw new ServiceError('not_found')
    return kept
  } catch (error) {
    if (!isStoreAway(error)) throw error
    answerFeedError(error, request, reply)
    return undefined
  }
}

/** The path below `/csaf/`. */
function placeOf(request: FastifyRequest): string {
  return pathOf(request).slice(feedRoot.length)
}

async function sendFile(
  { files, kept }: { files: KeptFiles; kept: KeptFile },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const answer = answerOf(kept.file, request)
  if (answer === undefined) {
    return answerOtherState(
      reply.headers({ 'access-control-allow-origin': '*', 'x-content-type-options': 'nosniff' }),
    )
  }
  const { status, headers, coding } = answer
  reply.status(status).headers(headers)
  if (status === 304) return reply.send()
  if (coding === null) return reply.send(kept.file.bytes)
  return reply.header('content-encoding', coding).send(await packed(files, { request, kept, coding }))
}

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

type Packing = { request: FastifyRequest; kept: KeptFile; coding: Coding }

async function packed(files: KeptFiles, { request, kept, coding }: Packing): Promise<Buffer> {
  const known = kept.packed.get(coding)
  if (known !== undefined) return known
  const { bytes } = kept.file
  const content = coding === 'br' ? await compressBrotli(bytes, brotliOptions) : await compressGzip(bytes)
  files.keepPacked(placeOf(request), kept, { coding, content })
  return content
}
