import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../contract/errors.ts'
import { answerOtherState } from './exchange/answer-other-state.ts'
import { isForAnotherState, isTagKnown, preferredCoding } from './negotiate.ts'
import { pathOf } from './request-log.ts'

/** Scripts from here only; styles inline too, because the component library sets them on elements. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'self'",
].join('; ')

const pageHeaders = {
  'Content-Security-Policy': contentSecurityPolicy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
}

/** Endings of the packed copies beside a built page, the best one first. */
const packings = { br: '.br', gzip: '.gz' } as const
const codings = ['br', 'gzip'] as const

/** An address that looks like a file: there are none outside assets/. The ids of vulnerabilities are other people's and may also end like this. */
const askedFile = /\.(?:js|css|map|woff2|png|svg|ico|json|txt)$/i
const vulnerabilityPage = /^\/app\/[^/]+\/vulnerabilities\/[^/]+$/

/**
 * The web application below /app/: built files, and its one page for every other address there, which the browser then routes.
 * File names in assets/ contain a hash of their content, so they never change; the page names them, so it is revalidated each time.
 */
export async function registerWebApp(app: FastifyInstance, distDir: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: join(distDir, 'assets'),
    prefix: '/app/assets/',
    immutable: true,
    maxAge: '1y',
    index: false,
    preCompressed: true,
    // Files are short. One that is asked for behind its end would be answered as a bad request.
    acceptRanges: false,
    // A folder would be answered as a bad request.
    allowedPath: (path) => !path.endsWith('/'),
  })
  const page = (request: FastifyRequest, reply: FastifyReply) => {
    const path = pathOf(request)
    if (askedFile.test(path) && !vulnerabilityPage.test(path)) throw new ServiceError('not_found')
    return sendPage(distDir, request, reply)
  }
  app.get('/app', page)
  app.get('/app/*', page)
  app.get('/', (_request, reply) => reply.redirect('/app/', 302))
}

/** Its tag is of its content: built again, a page of the same size and time is another one. */
async function sendPage(
  distDir: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const coding = preferredCoding(request, codings)
  const content = await readFile(join(distDir, `index.html${coding === null ? '' : packings[coding]}`))
  const tag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
  reply.headers(pageHeaders).headers({ 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding', ETag: tag })
  if (isForAnotherState(request, { tag, time: null })) return answerOtherState(reply)
  if (coding !== null) reply.header('Content-Encoding', coding)
  if (isTagKnown(request, tag)) return reply.status(304).send()
  return reply.type('text/html; charset=utf-8').send(content)
}
