import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpDeps } from '../deps.ts'
import { apiContent, type OpenapiDocument } from './api-page.ts'
import { sendDocsPage } from './docs-frame.ts'
import { publicExamples } from './examples/all-examples.ts'
import { putExamples } from './examples/put-examples.ts'
import { feedPaths } from './feed-paths.ts'
import { nameSchemas } from './named-schemas.ts'
import { webhookRequests, webhooks } from './webhooks.ts'

const examples = { ...publicExamples, ...webhookRequests }

/** `GET /api/v1/openapi.json` */
export function openapiDocument(
  { baseUrl }: HttpDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): unknown {
  reply.header('cache-control', 'public, max-age=300').header('access-control-allow-origin', '*')
  return putExamples(nameSchemas(described(request, baseUrl)), examples, baseUrl)
}

/** What the routes say of themselves, the files of the feed, and what webhooks are sent. */
function described(request: FastifyRequest, baseUrl: string) {
  const document = request.server.swagger()
  return { ...document, paths: { ...document.paths, ...feedPaths }, webhooks: webhooks(baseUrl) }
}

/** `GET /docs/api`: the same for people. */
export function apiPage(
  { baseUrl, serviceName }: HttpDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): string {
  const document = putExamples(
    described(request, baseUrl),
    publicExamples,
    baseUrl,
  ) as unknown as OpenapiDocument
  return sendDocsPage(reply, {
    serviceName,
    title: 'API reference',
    path: '/docs/api',
    ...apiContent(document),
  })
}
