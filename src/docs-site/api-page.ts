import { html, type Html } from '../html/html.ts'

/** The parts of an OpenAPI 3.1 document that the page shows. */
export type OpenapiDocument = {
  info: { title: string; version: string; description?: string }
  servers?: { url: string }[]
  paths?: Record<string, Record<string, OpenapiOperation>>
  webhooks?: Record<string, Record<string, OpenapiOperation>>
  components?: { securitySchemes?: Record<string, { description?: string }> }
}

type OpenapiOperation = {
  summary?: string
  description?: string
  security?: Record<string, unknown>[]
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema?: JsonSchema }[]
  requestBody?: { content?: Record<string, Media> }
  responses?: Record<string, OpenapiResponse>
}

type OpenapiResponse = {
  description?: string
  headers?: Record<string, { description?: string }>
  content?: Record<string, Media>
}

type Media = { schema?: JsonSchema; examples?: Record<string, { summary?: string; value: unknown }> }

type JsonSchema = {
  type?: string
  description?: string
  enum?: unknown[]
  anyOf?: JsonSchema[]
  format?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
}

/** The interface's description: what is on the page, and the operations that its list of contents leads to. */
export function apiContent(document: OpenapiDocument): {
  sections: { id: string; title: string }[]
  content: Html
} {
  const { info, servers = [], paths = {}, webhooks = {} } = document
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const sent = Object.entries(webhooks).flatMap(([type, methods]) =>
    Object.values(methods).map((operation) => ({ path: type, method: 'Webhook', operation })),
  )
  const sections = [...operations, ...sent].map(({ path, method, operation }) => ({
    id: anchor(method, `/${path}`),
    title: operation.summary ?? path,
  }))
  const content = html`<h1>${info.title}</h1>
    ${paragraphs(info.description)}
    <p>
      Base address: <code>${servers[0]?.url ?? ''}</code>. Machine-readable:
      <a href="/api/v1/openapi.json">OpenAPI 3.1</a>.
    </p>
    ${operations.map(({ path, method, operation }) => section({ path, method, operation, document }))}
    ${sent.map(({ path, method, operation }) => section({ path, method, operation, document }))}`
  return { sections, content }
}

type Section = { path: string; method: string; operation: OpenapiOperation; document: OpenapiDocument }

function section({ path, method, operation, document }: Section): Html {
  const name = operation.summary ?? path
  const schemes = (operation.security ?? []).flatMap((scheme) => Object.keys(scheme))
  const credentials = schemes.map((name) => document.components?.securitySchemes?.[name]?.description ?? name)
  return html`<section aria-labelledby="${anchor(method, path)}">
    <h2 id="${anchor(method, path)}">${name}</h2>
    <p><code>${method} ${path}</code></p>
    ${paragraphs(operation.description)}
    ${credentials.map((text) => html`<p><code>Authorization: Bearer &lt;token&gt;</code> — ${text}</p>`)}
    ${parameterTable(name, operation.parameters ?? [])} ${bodyParagraph(operation.requestBody)}
    ${bodyFields(name, operation.requestBody)}
    ${mediaExamples(Object.values(operation.requestBody?.content ?? {}))}
    <h3>Answers</h3>
    ${table(`${name}: answers`, ['Status', 'Meaning', 'Headers'], Object.entries(operation.responses ?? {}).map(responseRow))}
    ${Object.entries(operation.responses ?? {}).map((entry) => fieldTable(name, entry))}
    ${answerExamples(operation.responses ?? {})}
  </section>`
}

function answerExamples(responses: Record<string, OpenapiResponse>): Html | null {
  const media = Object.entries(responses).flatMap(([status, { content = {} }]) =>
    mediaExamples(Object.values(content), status),
  )
  return media.length === 0
    ? null
    : html`<h3>Examples of answers</h3>
        ${media}`
}

function mediaExamples(media: readonly Media[], status?: string): readonly Html[] {
  return media.flatMap(({ examples = {} }) =>
    Object.values(examples).map(
      ({ summary = '', value }) =>
        html`<details class="example">
          <summary>${status === undefined ? 'Example: ' : `${status}: `}${inline(summary)}</summary>
          <pre
            tabindex="0"
          ><code>${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</code></pre>
        </details>`,
    ),
  )
}

function anchor(method: string, path: string): string {
  return `${method}/${path}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}

function parameterTable(
  operation: string,
  parameters: NonNullable<OpenapiOperation['parameters']>,
): Html | null {
  if (parameters.length === 0) return null
  const rows = parameters.map(
    ({ name, in: place, required, description, schema = {} }) =>
      html`<tr>
        <td><code>${name}</code></td>
        <td>${place}${required === true ? ', required' : ''}</td>
        <td>${inline(description ?? schema.description ?? '')} ${choices(schema)}</td>
      </tr>`,
  )
  return html`<h3>Parameters</h3>
    ${table(`${operation}: parameters`, ['Name', 'In', 'Meaning'], rows)}`
}

function choices({ enum: values = [] }: JsonSchema): Html | null {
  return values.length === 0
    ? null
    : html`(${inline(values.map((value) => `\`${String(value)}\``).join(', '))})`
}

function bodyParagraph(body: OpenapiOperation['requestBody']): Html | null {
  const [type, media] = Object.entries(body?.content ?? {})[0] ?? []
  if (type === undefined) return null
  return html`<h3>Body</h3>
    <p><code>${type}</code>: ${inline(media?.schema?.description ?? '')}</p>`
}

/** The fields of a JSON body. */
function bodyFields(operation: string, body: OpenapiOperation['requestBody']): Html | null {
  const { schema = {} } = body?.content?.['application/json'] ?? {}
  if (schema.properties === undefined) return null
  return table(`${operation}: fields of the body`, ['Field', 'Type', 'Meaning'], fieldRows(schema, ''))
}

function responseRow([status, response]: [string, OpenapiResponse]): Html {
  const headers = Object.keys(response.headers ?? {}).join(', ')
  const lines = (response.description ?? '').split('\n').map((line) => html`<div>${inline(line)}</div>`)
  return html`<tr>
    <td>${status}</td>
    <td>${lines}</td>
    <td>${headers}</td>
  </tr>`
}

/** The fields of a successful answer; a table for each shape it may have. */
function fieldTable(operation: string, [status, response]: [string, OpenapiResponse]): Html | null {
  const schema = Object.values(response.content ?? {})[0]?.schema
  const shapes = (schema?.anyOf ?? [schema ?? {}]).filter(({ properties }) => properties !== undefined)
  if (!status.startsWith('2') || shapes.length === 0) return null
  return html`<h3>Fields of ${status}</h3>
    ${shapes.map(
      (shape, place) =>
        html`${place === 0 ? null : html`<p>or</p>`}
        ${table(`${operation}: fields of ${status}${place === 0 ? '' : `, shape ${place + 1}`}`, ['Field', 'Type', 'Meaning'], fieldRows(shape, ''))}`,
    )}`
}

function fieldRows(schema: JsonSchema, prefix: string): Html[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const full = `${prefix}${name}`
    const row = html`<tr>
      <td><code>${full}</code></td>
      <td>${typeName(field)}</td>
      <td>${inline(field.description ?? '')} ${choices(field)}</td>
    </tr>`
    return [row, ...fieldRows(field, `${full}.`)]
  })
}

function typeName({ type, anyOf, enum: values, format }: JsonSchema): string {
  if (anyOf !== undefined) return anyOf.map(typeName).join(' or ')
  if (type === undefined) return values === undefined ? 'any' : 'string'
  return format === undefined ? type : `${type} (${format})`
}

/** `label`: its name among the tables of the page. */
function table(label: string, headings: string[], rows: readonly Html[]): Html {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${label}">
    <table>
      <thead>
        <tr>
          ${headings.map((heading) => html`<th scope="col">${heading}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`
}

function paragraphs(text: string | undefined): readonly Html[] {
  return (text ?? '').split('\n\n').map((paragraph) => html`<p>${inline(paragraph)}</p>`)
}

/** Text in which backticks mark code. */
function inline(text: string): readonly Html[] {
  return text.split('`').map((part, place) => (place % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
}
