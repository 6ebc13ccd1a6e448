import { errorCodeNames } from '../../../contract/errors.ts'
import type { AppOperation, QueryKind } from '../../../contract/operation.ts'

type Part = Record<string, unknown>

const refused = {
  description: 'What was refused, and why.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
}

const components = {
  schemas: {
    Refusal: {
      type: 'object',
      required: ['error', 'message'],
      properties: {
        error: { enum: errorCodeNames },
        message: { type: 'string' },
        detail: { type: 'string' },
        fields: { type: 'object', additionalProperties: { type: 'string' } },
      },
    },
  },
  securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'session' } },
}

/** The application's own interface as an OpenAPI 3.1 document, made of its operations by their names (contract/<subject>/operations.ts). */
export function openapiOf(operations: ReadonlyMap<string, AppOperation>): Part {
  const paths: Record<string, Part> = {}
  for (const [name, known] of operations) {
    const path = known.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [known.method.toLowerCase()]: described(name, known) }
  }
  return { openapi: '3.1.0', info: { title: 'SBOM Monitor', version: 'app' }, paths, components }
}

function described(name: string, known: AppOperation): Part {
  const body = contentOf(known.body)
  return {
    operationId: name,
    security: known.permission === 'anyone' ? [] : [{ session: [] }],
    parameters: [...pathParameters(known), ...queryParameters(known)],
    ...(body === null ? {} : { requestBody: { required: true, content: body } }),
    responses: { ...answered(known), default: refused },
  }
}

function pathParameters({ path, textParameters }: AppOperation): Part[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const isText = name === 'slug' || textParameters.includes(name)
    return { name, in: 'path', required: true, schema: isText ? { type: 'string' } : schemaOf('id') }
  })
}

function queryParameters({ query }: AppOperation): Part[] {
  return Object.entries(query).map(([name, kind]) => ({ name, in: 'query', schema: schemaOf(kind) }))
}

function schemaOf(kind: QueryKind): Part {
  if (typeof kind !== 'string') return { enum: kind }
  if (kind === 'number') return { type: 'integer', minimum: 1 }
  if (kind === 'id') return { type: 'string', format: 'uuid' }
  if (kind === 'id_or_none') return { anyOf: [schemaOf('id'), { const: 'none' }] }
  return { type: 'string' }
}

function answered({ answer }: AppOperation): Part {
  if (answer === 'page') return { 200: { description: 'A page.', content: { 'text/html': {} } } }
  if (answer === 'file') return { 200: { description: 'A file.', content: contentOf('file') } }
  const content = contentOf(answer.schema)
  return { [answer.status]: { description: 'Done.', ...(content === null ? {} : { content }) } }
}

function contentOf(of: AppOperation['body'] | object): Part | null {
  if (of === null) return null
  return of === 'file' ? { 'application/octet-stream': {} } : { 'application/json': { schema: of } }
}
