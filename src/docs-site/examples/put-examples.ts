import { exampleBase, type PublicExample } from './example.ts'

type Media = { examples?: Record<string, { summary: string; value: unknown }>; example?: unknown }
type Content = { content?: Record<string, Media> }
type Operation = { operationId?: string; requestBody?: Content; responses?: Record<string, Content> }
type Described = { paths?: object; webhooks?: object }

/** Puts the examples into the request bodies and answers of the document, with addresses of the service that shows them. */
export function putExamples<Document extends Described>(
  document: Document,
  examples: Readonly<Record<string, readonly PublicExample[]>>,
  baseUrl: string,
): Document {
  const copy = structuredClone(document)
  const described = { ...copy.paths, ...copy.webhooks } as Record<string, Record<string, Operation>>
  for (const methods of Object.values(described)) {
    for (const operation of Object.values(methods)) {
      for (const example of examples[operation.operationId ?? ''] ?? [])
        putExample(operation, settled(example, baseUrl))
    }
  }
  return copy
}

function putExample({ requestBody, responses }: Operation, example: PublicExample): void {
  const { request, answer } = example
  if (request?.body !== undefined) put(requestBody?.content?.['application/json'], example, request.body)
  if (answer.body !== undefined)
    put(Object.values(responses?.[answer.status]?.content ?? {})[0], example, answer.body)
}

function put(media: Media | undefined, { name, summary }: PublicExample, value: unknown): void {
  if (media === undefined) throw new Error(`There is no body that the example ${name} could be of.`)
  media.examples = { ...media.examples, [name]: { summary, value } }
}

function settled(example: PublicExample, baseUrl: string): PublicExample {
  return JSON.parse(JSON.stringify(example).replaceAll(exampleBase, baseUrl)) as PublicExample
}
