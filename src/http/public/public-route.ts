import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import type { TSchema } from 'typebox'
import type { PublicExample } from '../../docs-site/examples/example.ts'
import type { HttpDeps } from '../deps.ts'
import type { Operation } from '../operation.ts'
import type { PublicAnswer, PublicOperation } from './public-operation.ts'
import { refusalResponses, type Refusals } from './public-refusals.ts'
import { pathText, queryText, requestHeader } from './texts.ts'

/** What the documentation says of a public operation beside its shapes. */
export type OperationWords<Known extends PublicOperation> = {
  tags: ['SBOM' | 'VEX' | 'Alerts']
  summary: string
  description: string
  body?: { content: Record<string, { schema: TSchema }> }
  /** When each status is answered. */
  answers: { [Status in keyof Known['answers']]: string }
  refusals: Refusals
  /** Another place where the same token may be. */
  alsoBy?: Scheme
}

type NamesOf<Shape extends { properties: object }> = keyof Shape['properties'] & string

/** The request as a handler reads it: only what the operation declares, as unchecked text; null when absent. */
export type PublicRequest<Known extends PublicOperation> = {
  deps: HttpDeps
  request: FastifyRequest
  reply: FastifyReply
  header: (name: NamesOf<Known['headers']>) => string | null
  query: (name: NamesOf<Known['query']>) => string | null
  parameter: (name: NamesOf<Known['params']>) => string
}

type PublicHandler<Known extends PublicOperation> = (
  asked: PublicRequest<Known>,
) => Promise<PublicAnswer<Known>>

type Documented<Known extends PublicOperation> = {
  operation: Known
  words: OperationWords<Known>
  /** Of every answer and refusal. */
  examples: readonly PublicExample[]
}

export type PublicRoute = Operation & { name: string; examples: readonly PublicExample[] }

/** The route of a public operation, with its description. The handler does every check, in the order that the description gives. */
export function publicRoute<Known extends PublicOperation>(
  { operation, words, examples }: Documented<Known>,
  handler: PublicHandler<Known>,
): PublicRoute {
  const { operationId, method, path, credential } = operation
  return {
    name: operationId,
    examples,
    method,
    url: path,
    credential,
    body: words.body === undefined ? 'none' : 'raw',
    schema: described(operation, words),
    answerSchema: (status) => operation.answers[status],
    handler: (deps, request, reply) =>
      handler({
        deps,
        request,
        reply,
        header: (name) => requestHeader(request, name.toLowerCase()),
        query: (name) => queryText(request, name),
        parameter: (name) => pathText(request, name),
      }),
  }
}

const schemes = {
  upload_token: 'uploadToken',
  results_token: 'resultsToken',
  workspace_token: 'workspaceToken',
} as const
type Scheme = (typeof schemes)[keyof typeof schemes] | 'connectorKey'

function described<Known extends PublicOperation>(
  { operationId, credential, headers, query, params, answers }: Known,
  { tags, summary, description, body, refusals, alsoBy, ...words }: OperationWords<Known>,
): FastifySchema {
  const when: Readonly<Record<number, string>> = words.answers
  const taken = Object.entries(answers).map(([status, shape]) => {
    return [status, { ...shape, description: when[Number(status)] }]
  })
  return {
    operationId,
    tags,
    summary,
    description,
    security: [schemes[credential], ...(alsoBy === undefined ? [] : [alsoBy])].map((name) => ({
      [name]: [],
    })),
    headers,
    querystring: query,
    params,
    ...(body === undefined ? {} : { body }),
    response: { ...Object.fromEntries(taken), ...refusalResponses(refusals) },
  }
}
