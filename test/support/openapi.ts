import { call } from './http.ts'

export type OpenApiMedia = { schema?: { $ref?: string }; examples?: Record<string, { value: unknown }> }
export type OpenApiResponse = {
  description: string
  headers?: Record<string, unknown>
  content?: Record<string, OpenApiMedia>
}
export type OpenApiOperation = {
  operationId: string
  tags: string[]
  security: Record<string, never[]>[]
  parameters: { name: string }[]
  requestBody?: { content: Record<string, OpenApiMedia> }
  responses: Record<string, OpenApiResponse>
}
export type OpenApi = {
  openapi: string
  tags: { name: string }[]
  paths: Record<string, Record<string, OpenApiOperation>>
  webhooks: Record<string, Record<string, OpenApiOperation>>
  components: { schemas: Record<string, { properties: Record<string, unknown> }> }
}

/** The OpenAPI document of the public interface, as the service gives it. */
export async function openApiOf(http: { url: string }): Promise<OpenApi> {
  return (await call(`${http.url}/api/v1/openapi.json`)).body as OpenApi
}
