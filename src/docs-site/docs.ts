import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Site } from './site.ts'
import { apiContent, type OpenapiDocument } from './api-page.ts'
import { sendDocsPage } from './docs-frame.ts'
import { publicExamples } from './examples/all-examples.ts'
import { putExamples } from './examples/put-examples.ts'
import { feedPaths } from './feed-paths.ts'
import { nameSchemas } from './named-schemas.ts'
import { webhookRequests, webhooks } from './webhooks.ts'

const examples = { ...publicExamples, ...webhookRequests }

/** `GET /api/v1/openapi.json` */
export function openapiDocument({ baseUrl }: Site, request: FastifyRequest, reply: FastifyReply): string {
  reply
    .type('application/json; charset=utf-8')
    .header('cache-control', 'public, max-age=300')
    .header('access-control-allow-origin', '*')
  return writtenOnce(request, baseUrl).openapi
}

type Written = { openapi: string; page: ReturnType<typeof apiContent> }

/** What a server says of itself never changes, and anybody may ask for it any number of times. */
const written = new WeakMap<FastifyInstance, Written>()

function writtenOnce(request: FastifyRequest, baseUrl: string): Written {
  const known = written.get(request.server)
  if (known !== undefined) return known
  const document = described(request, baseUrl)
  const shown = putExamples(document, publicExamples, baseUrl) as unknown as OpenapiDocument
  const made = {
    openapi: JSON.stringify(putExamples(nameSchemas(document), examples, baseUrl)),
    page: apiContent(shown),
  }
  written.set(request.server, made)
  return made
}

/** What the routes say of themselves, the files of the feed, and what webhooks are sent. */
function described(request: FastifyRequest, baseUrl: string) {
  const document = request.server.swagger()
  return { ...document, paths: { ...document.paths, ...feedPaths }, webhooks: webhooks(baseUrl) }
}

/** `GET /docs/api`: the same for people. */
export function apiPage(
  { baseUrl, serviceName }: Site,
  request: FastifyRequest,
  reply: FastifyReply,
): string {
  return sendDocsPage(reply, {
    serviceName,
    title: 'API reference',
    path: '/docs/api',
    ...writtenOnce(request, baseUrl).page,
  })
}
