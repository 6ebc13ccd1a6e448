import type { FastifySchema } from 'fastify'
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'

const introduction = `Upload the SBOMs of your products from a pipeline and learn which known vulnerabilities they contain; upload VEX documents to say which of them do not matter.

Addresses are below /api/v1, those of the public feed below /csaf, and require HTTPS. Answers are JSON; times are ISO 8601 UTC with milliseconds. "Characters" in limits are Unicode code points, MB are binary (4 MB are 4 194 304 bytes).

Errors have the shape { error, message } with a stable code, an English message, and detail where there is more to say. In addition to the codes of each operation there are 404 not_found for an unknown address, 405 method_not_allowed with Allow, 408 timeout for a request that is not finished within a minute or whose body delivers less than 40 kB in ten seconds while the service has little room for bodies, and 431 headers_too_large.`

const bearer = (description: string) =>
  ({ type: 'http', scheme: 'bearer', bearerFormat: 'svc_…', description }) as const

/** The description of the public interface, put together from the schemas of the routes that have one. */
export function openapiOptions({
  baseUrl,
  serviceName,
}: {
  baseUrl: string
  serviceName: string
}): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `${serviceName} API`,
        version: 'v1',
        description: introduction,
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
        contact: { name: serviceName, url: baseUrl },
      },
      servers: [{ url: baseUrl }],
      tags: [
        { name: 'SBOM', description: 'Send SBOMs and read what was found in them.' },
        { name: 'VEX', description: 'Say which vulnerabilities affect a product and which do not.' },
        { name: 'Alerts', description: 'Manage the chat channels and webhooks that are told what happens.' },
        // a tag of their own: generators make a class for each, and of one in both places the later replaces the earlier
        { name: 'Webhooks', description: 'What a webhook destination of yours is sent.' },
        { name: 'Feed', description: 'Read the published security advisories of a company as CSAF 2.0.' },
      ],
      components: {
        securitySchemes: {
          uploadToken: bearer('Upload token of one product family: uploads for it and nothing else.'),
          resultsToken: bearer('Results token of one product family: reads its results and nothing else.'),
          workspaceToken: bearer(
            'Workspace token with the access option "Manage chat and webhook destinations".',
          ),
          connectorKey: {
            type: 'apiKey',
            in: 'header',
            name: 'X-Api-Key',
            description:
              'Of the connector, when there is no Authorization header: the upload token of the family.',
          },
        },
      },
    },
    convertConstToEnum: false,
    // Only what is described is public: pages of the application, which have no schema at all, and probes are not.
    transform: ({ schema, url }: { schema?: FastifySchema; url: string }) => ({
      schema: schema?.operationId === undefined ? { ...schema, hide: true } : schema,
      url,
    }),
  }
}
