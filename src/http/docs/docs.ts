import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpDeps } from '../deps.ts'
import { docsStyle, renderDocs, type OpenapiDocument } from './docs-page.ts'
import { publicExamples } from './examples/all-examples.ts'
import { putExamples } from './examples/put-examples.ts'
import { feedPaths } from './feed-paths.ts'
import { nameSchemas } from './named-schemas.ts'

/** `GET /api/v1/openapi.json` */
export function openapiDocument(
  { baseUrl }: HttpDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): unknown {
  reply.header('cache-control', 'public, max-age=300').header('access-control-allow-origin', '*')
  return putExamples(nameSchemas(described(request)), publicExamples, baseUrl)
}

/** What the routes say of themselves, and the files of the feed. */
function described(request: FastifyRequest) {
  const document = request.server.swagger()
  return { ...document, paths: { ...document.paths, ...feedPaths } }
}

const styleHash = hash('sha256', docsStyle, 'base64')

/** `GET /docs`: the same for people, without any script. */
export function docsPage({ baseUrl }: HttpDeps, request: FastifyRequest, reply: FastifyReply): string {
  reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'public, max-age=300')
    .header(
      'content-security-policy',
      `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'`,
    )
    .header('referrer-policy', 'no-referrer')
  return renderDocs(putExamples(described(request), publicExamples, baseUrl) as unknown as OpenapiDocument)
}
