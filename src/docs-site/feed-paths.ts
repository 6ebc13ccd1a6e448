type Json = Record<string, unknown>

const slug = {
  name: 'slug',
  in: 'path',
  required: true,
  description: 'Address of the workspace.',
  schema: { type: 'string' },
  example: 'acme',
}
const year = {
  name: 'year',
  in: 'path',
  required: true,
  description: 'UTC year of `initial_release_date`.',
  schema: { type: 'string', pattern: '^[0-9]{4}$' },
  example: '2026',
}
const file = {
  name: 'file',
  in: 'path',
  required: true,
  description:
    'Tracking ID in lower case, with `_` for every run of characters other than a-z, 0-9, `+` and `-`.',
  schema: { type: 'string' },
  example: 'acme-sa-2026-0001',
}

const header = (description: string) => ({ description, schema: { type: 'string' } })
const shared = {
  'Access-Control-Allow-Origin': header('Always `*`.'),
  'Cache-Control': header('`public, max-age=300, stale-while-revalidate=60`.'),
  ETag: header('Of a document: its SHA-256 in quotes.'),
}
const lastModified = { 'Last-Modified': header('When this version was published.') }

const text = { schema: { type: 'string' } }

const metadata = {
  title: 'ProviderMetadata',
  type: 'object',
  required: ['canonical_url', 'distributions', 'last_updated', 'metadata_version', 'publisher', 'role'],
  properties: {
    canonical_url: { type: 'string', format: 'uri', description: "The file's own address." },
    distributions: {
      type: 'array',
      items: {
        type: 'object',
        required: ['directory_url'],
        properties: { directory_url: { type: 'string', format: 'uri' } },
      },
    },
    last_updated: { type: 'string', format: 'date-time', description: 'Time of the last publication.' },
    list_on_CSAF_aggregators: { type: 'boolean' },
    metadata_version: { type: 'string' },
    mirror_on_CSAF_aggregators: { type: 'boolean' },
    publisher: {
      type: 'object',
      required: ['category', 'name', 'namespace'],
      properties: {
        category: { type: 'string' },
        contact_details: { type: 'string' },
        name: { type: 'string' },
        namespace: { type: 'string' },
      },
    },
    role: { type: 'string' },
  },
}

const document = {
  title: 'CsafDocument',
  type: 'object',
  description:
    'A CSAF 2.0 document of the VEX profile, as https://docs.oasis-open.org/csaf/csaf/v2.0/csaf-v2.0.html has it.',
  required: ['document', 'product_tree', 'vulnerabilities'],
  properties: {
    document: { type: 'object', additionalProperties: true },
    product_tree: { type: 'object', additionalProperties: true },
    vulnerabilities: { type: 'array', items: { type: 'object', additionalProperties: true } },
  },
}

const moved = {
  description:
    'The workspace has moved to another installation: the same path there. An addition beyond the interface.',
  headers: { Location: header('The address there.'), 'Cache-Control': header('`public, max-age=300`.') },
}

const refusals = {
  404: {
    description: 'There is no such feed or file. Unlike elsewhere the answer is plain text.',
    headers: { 'Cache-Control': header('`no-store`.') },
    content: { 'text/plain': text },
  },
  412: {
    description:
      'The file is not in the state that `If-Match` or `If-Unmodified-Since` asks for. An addition beyond the interface.',
    headers: { 'Cache-Control': header('`no-store`.') },
    content: { 'text/plain': text },
  },
  503: {
    description: 'The database is away. A file that exists is never answered 404.',
    headers: { 'Retry-After': header('Whole seconds after which to try again.') },
    content: { 'text/plain': text },
  },
}

type File = {
  operationId: string
  summary: string
  description: string
  type: 'application/json' | 'text/plain' | 'text/csv'
  schema?: Json
  parameters?: readonly Json[]
  headers?: Json
}

function get({ operationId, summary, description, type, schema, parameters = [], headers = {} }: File): Json {
  return {
    get: {
      operationId,
      tags: ['Feed'],
      summary,
      description,
      security: [],
      parameters: [slug, ...parameters],
      responses: {
        200: {
          description: 'The file.',
          headers: { ...shared, ...headers },
          content: { [type]: schema === undefined ? text : { schema } },
        },
        304: { description: 'Not changed since the `If-None-Match` or `If-Modified-Since` of the request.' },
        308: moved,
        ...refusals,
      },
    },
  }
}

const digest = (name: string) => ({
  operationId: `getAdvisory${name}`,
  summary: `Read the ${name.replace('Sha', 'SHA-')} of an advisory`,
  description: `The digest of the document in the format of ${name.toLowerCase()}sum: hexadecimal digits, two spaces, file name.`,
  type: 'text/plain' as const,
  parameters: [year, file],
})

/** The files of the public feed (docs/public-api.md, "Public CSAF feed") as paths of the OpenAPI document. */
export const feedPaths: Readonly<Record<string, Json>> = {
  '/csaf/{slug}/provider-metadata.json': get({
    operationId: 'getProviderMetadata',
    summary: 'Read who publishes, and where',
    description:
      'The provider metadata of a workspace, served from its first day on and in every state. Every file of the feed is public: no credential, any origin, GET, HEAD and OPTIONS.',
    type: 'application/json',
    schema: metadata,
  }),
  '/csaf/{slug}/white/index.txt': get({
    operationId: 'getAdvisoryIndex',
    summary: 'List the advisories',
    description:
      'One path below `white/` a line, the newest `initial_release_date` first; empty while nothing is published. Each line ends with LF.',
    type: 'text/plain',
  }),
  '/csaf/{slug}/white/changes.csv': get({
    operationId: 'getAdvisoryChanges',
    summary: 'List the advisories by their last change',
    description:
      'Path and `current_release_date`, both in double quotes, the newest change first; no heading.',
    type: 'text/csv',
  }),
  '/csaf/{slug}/white/{year}/{file}.json': get({
    operationId: 'getAdvisory',
    summary: 'Read an advisory',
    description:
      'The latest published version, byte for byte what was hashed. A new version replaces it at the same address.',
    type: 'application/json',
    schema: document,
    parameters: [year, file],
    headers: lastModified,
  }),
  '/csaf/{slug}/white/{year}/{file}.json.sha256': get(digest('Sha256')),
  '/csaf/{slug}/white/{year}/{file}.json.sha512': get(digest('Sha512')),
}
