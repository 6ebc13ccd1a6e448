import type { FastifySchema } from 'fastify'
import { Type } from 'typebox'
import { limits } from '../../contract/limits.ts'
import { SbomReceipt, SbomResult, uploadSources } from '../../contract/sbom.ts'
import {
  budgetText,
  internal,
  rawFile,
  refusalResponses,
  tokenRefusals,
  type Refusals,
} from './public-refusals.ts'

/** Descriptions of the public operations: shown at /docs, never used to judge a request. */

const uploadRefusals: Refusals = [
  { code: 'empty', when: 'the body has no bytes, also after decompression.' },
  {
    code: 'bad_encoding',
    when: 'another Content-Encoding than gzip, x-gzip or identity, or data that cannot be decompressed.',
  },
  { code: 'invalid_json', when: 'the body is not JSON in UTF-8.' },
  {
    code: 'invalid_sbom',
    when: `the structure is broken, or the document has ${budgetText}. \`detail\` says where.`,
  },
  ...tokenRefusals,
  { code: 'billing_lapsed', when: 'the workspace is read-only or closed; the message says which.' },
  {
    code: 'too_large',
    when: `over ${limits.bodySentBytes} bytes as sent or ${limits.bodyDecompressedBytes} decompressed.`,
  },
  { code: 'xml_unsupported', when: 'the SBOM is XML.' },
  {
    code: 'unsupported_format',
    when: 'neither CycloneDX JSON 1.4-1.7 nor SPDX JSON 2.2-2.3. `detail` names what was found.',
  },
  { code: 'too_many_components', when: `more than ${limits.components} components.` },
  ...internal,
]

const version = `Product version that the SBOM describes. Longer than ${limits.versionCharacters} characters: cut. Blank: as if absent.`

export const uploadSbomSchema: FastifySchema = {
  operationId: 'uploadSbom',
  tags: ['SBOM'],
  summary: 'Upload an SBOM',
  description: `Stores one SBOM for the product family of the token; it is matched against vulnerability data after the answer. The newest SBOM of a product version replaces the active one of that version; SBOMs of other versions stay active. A retired version that gets a new SBOM is in use again.

The body is the file itself, plain or gzipped: no form, no wrapping. The format is recognised from the content, gzip also without its header.

Sending the same file again is safe: the answer is 200 with the stored record. "The same" are equal bytes after decompression, whatever headers come along, also when another SBOM has replaced the stored one since. Of identical uploads that arrive together exactly one is answered 202.

Checks are made in this order: token, rate limit, size and encoding, workspace state, duplicate, the document. Texts in headers are read as UTF-8, else as ISO-8859-1; control characters are removed.

Uploads that the service cannot take because too many wait are answered 500 \`internal\` with \`Retry-After\`.`,
  security: [{ uploadToken: [] }],
  headers: Type.Object({
    'Content-Encoding': Type.Optional(
      Type.Enum(['gzip', 'x-gzip', 'identity'], { description: 'How the body is compressed.' }),
    ),
    'X-Service-Version': Type.Optional(
      Type.String({
        description: `${version} Overrides the query parameter and the version in the document.`,
      }),
    ),
    'X-Service-Source': Type.Optional(
      Type.Enum([...uploadSources], { description: 'What sends the SBOM. Anything else shows as API.' }),
    ),
    'X-Service-Commit': Type.Optional(
      Type.String({ description: `Commit, cut at ${limits.commitCharacters} characters.` }),
    ),
    'X-Service-Branch': Type.Optional(
      Type.String({
        description: `Branch, cut at ${limits.branchCharacters}; a leading refs/heads/ is removed.`,
      }),
    ),
    'X-Service-Repo': Type.Optional(
      Type.String({ description: `Repository name, cut at ${limits.repositoryCharacters} characters.` }),
    ),
    'X-Service-Run-Url': Type.Optional(
      Type.String({
        description: `Link to the CI run, http or https; dropped when longer than ${limits.runUrlCharacters} characters.`,
      }),
    ),
  }),
  querystring: Type.Object({
    version: Type.Optional(Type.String({ description: `${version} Overrides the version in the document.` })),
  }),
  body: {
    content: {
      'application/json': {
        schema: Type.Object(
          {},
          { description: 'CycloneDX JSON 1.4-1.7 or SPDX JSON 2.2-2.3.', additionalProperties: true },
        ),
      },
      'application/octet-stream': { schema: rawFile },
    },
  },
  response: {
    200: { ...SbomReceipt, description: 'The family already had exactly this file; the stored record.' },
    202: { ...SbomReceipt, description: 'Stored; `status` is `parsed`, `duplicate` is false.' },
    ...refusalResponses(uploadRefusals),
  },
}

export const getSbomResultSchema: FastifySchema = {
  operationId: 'getSbomResult',
  tags: ['SBOM'],
  summary: 'Read the result of an SBOM',
  description: `What matching has found in an SBOM of the token's family. It needs a results token, which can read and nothing else and has an hourly limit of its own; an upload token is refused.

One count per finding: a vulnerability on a component of the product version. \`coverage\` says how many components could be decided at all.`,
  security: [{ resultsToken: [] }],
  params: Type.Object({ id: Type.String({ format: 'uuid', description: 'The `id` of the upload answer.' }) }),
  querystring: Type.Object({
    wait: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'Seconds to hold the answer until the status is `matched` or `failed`. More than 30 counts as 30.',
      }),
    ),
  }),
  response: {
    200: { ...SbomResult, description: 'The SBOM and its counts.' },
    ...refusalResponses([
      { code: 'invalid_request', when: '`wait` is not a whole number; `fields` says so.' },
      ...tokenRefusals,
      { code: 'not_found', when: 'the family of the token has no SBOM of this id.' },
      ...internal,
    ]),
  },
}
