import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Site } from './site.ts'
import { apiContent, type OpenapiDocument } from './api-page.ts'
import { sendDocsPage } from './docs-frame.ts'
import type { PublicExample } from './examples/example.ts'
import { putExamples } from './examples/put-examples.ts'
import { feedPaths } from './feed-paths.ts'
import { nameSchemas } from './named-schemas.ts'
import { webhookRequests, webhooks } from './webhooks.ts'

type Written = { openapi: string; page: ReturnType<typeof apiContent> }

/**
 * What the service says of its interface, with `examples` by operation: `GET /api/v1/openapi.json`, and `GET /docs/api`, the same for people.
 */
export function apiDocs(examples: Readonly<Record<string, readonly PublicExample[]>>) {
  /** What a server says of itself never changes, and anybody may ask for it any number of times. */
  const written = new WeakMap<FastifyInstance, Written>()

  function writtenOnce({ server }: FastifyRequest, baseUrl: string): Written {
    const known = written.get(server)
    if (known !== undefined) return known
    const document = described(server, baseUrl)
    const shown = putExamples(document, examples, baseUrl) as unknown as OpenapiDocument
    const made = {
      openapi: JSON.stringify(
        putExamples(nameSchemas(document), { ...examples, ...webhookRequests }, baseUrl),
      ),
      page: apiContent(shown),
    }
    written.set(server, made)
    return made
  }

  return {
    openapiDocument: ({ baseUrl }: Site, request: FastifyRequest, reply: FastifyReply): string => {
      reply
        .type('application/json; charset=utf-8')
        .header('cache-control', 'public, max-age=300')
        .header('access-control-allow-origin', '*')
      return writtenOnce(request, baseUrl).openapi
    },
    apiPage: ({ baseUrl, serviceName }: Site, request: FastifyRequest, reply: FastifyReply): string =>
      sendDocsPage(reply, {
        serviceName,
        title: 'API reference',
        path: '/docs/api',
        ...writtenOnce(request, baseUrl).page,
      }),
  }
}

/** What the routes say of themselves, the files of the feed, and what webhooks are sent. */
function described(server: FastifyInstance, baseUrl: string) {
  const document = server.swagger()
  return { ...document, paths: { ...document.paths, ...feedPaths }, webhooks: webhooks(baseUrl) }
}
