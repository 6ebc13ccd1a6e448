import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpDeps } from '../deps.ts'
import { docsStyle, renderDocs, type OpenapiDocument } from './docs-page.ts'
import { nameSchemas } from './named-schemas.ts'

/** `GET /api/v1/openapi.json` */
export function openapiDocument(_deps: HttpDeps, request: FastifyRequest, reply: FastifyReply): unknown {
  reply.header('cache-control', 'public, max-age=300').header('access-control-allow-origin', '*')
  return nameSchemas(request.server.swagger())
}

const styleHash = hash('sha256', docsStyle, 'base64')

/** `GET /docs`: the same for people, without any script. */
export function docsPage(_deps: HttpDeps, request: FastifyRequest, reply: FastifyReply): string {
  reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'public, max-age=300')
    .header(
      'content-security-policy',
      `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'`,
    )
    .header('referrer-policy', 'no-referrer')
  return renderDocs(request.server.swagger() as unknown as OpenapiDocument)
}
