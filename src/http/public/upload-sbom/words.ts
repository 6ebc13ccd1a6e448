import { Type } from 'typebox'
import { limits } from '../../../contract/limits.ts'
import { budgetText, internal, rawFile, tokenRefusals, type Refusals } from '../public-refusals.ts'
import type { OperationWords } from '../public-route.ts'
import type { operation } from './operation.ts'

const refusals: Refusals = [
  { code: 'empty', when: 'the body is empty, before or after decompression.' },
  {
    code: 'bad_encoding',
    when: 'a Content-Encoding other than gzip, x-gzip or identity, or data that cannot be decompressed.',
  },
  { code: 'invalid_json', when: 'the body is not JSON in UTF-8.' },
  {
    code: 'invalid_sbom',
    when: `the structure is broken, or the document has ${budgetText}. \`detail\` says where.`,
  },
  ...tokenRefusals,
  {
    code: 'billing_lapsed',
    when: 'the workspace is read-only, suspended, closed or full; the message says which.',
  },
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

export const words: OperationWords<typeof operation> = {
  tags: ['SBOM'],
  summary: 'Upload an SBOM',
  description: `Stores one SBOM for the product family of the token; it is matched against vulnerability data after the answer. The newest SBOM of a product version replaces the active one of that version; SBOMs of other versions stay active. A retired version that gets a new SBOM is in use again.

The body is the file itself, plain or gzipped: no form, no wrapping. The format is recognised from the content, gzip even without its header.

Sending the same file again is safe: the answer is 200 with the stored record. "The same" means equal bytes after decompression, whatever headers come along, even when another SBOM has replaced the stored one since. When identical uploads arrive together, exactly one is answered 202.

Checks are made in this order: token, rate limit, size and encoding, workspace state, duplicate, the document. Texts in headers are read as UTF-8, else as ISO-8859-1; control characters are removed.

Uploads that the service cannot take because too many wait are answered 500 \`internal\` with \`Retry-After\`.`,
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
  answers: {
    200: 'The family already had exactly this file; the stored record.',
    202: 'Stored; `status` is `parsed`, `duplicate` is false.',
  },
  refusals,
}
