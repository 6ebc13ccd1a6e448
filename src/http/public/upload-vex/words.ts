import { Type } from 'typebox'
import { limits } from '../../../contract/limits.ts'
import {
  budgetText,
  internal,
  rawFile,
  tokenRefusals,
  vexBudgetText,
  type Refusals,
} from '../public-refusals.ts'
import type { OperationWords } from '../public-route.ts'
import type { operation } from './operation.ts'

const refusals: Refusals = [
  { code: 'empty', when: 'the body is empty, before or after decompression.' },
  {
    code: 'bad_encoding',
    when: 'a Content-Encoding other than gzip, x-gzip, zstd or identity, or data that cannot be decompressed; zstd with a window over 8 MB or more than 1 000 frames.',
  },
  { code: 'invalid_json', when: 'the body is not JSON in UTF-8; XML is not accepted either.' },
  {
    code: 'invalid_vex',
    when: `the structure is broken, or the document has ${budgetText}; or ${vexBudgetText}. \`detail\` says where.`,
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
  {
    code: 'unsupported_vex',
    when: 'neither OpenVEX, CSAF 2.0 VEX nor CycloneDX JSON 1.4-1.7 with `vulnerabilities`. `detail` names what was found.',
  },
  { code: 'no_statements', when: 'the document says nothing about any vulnerability.' },
  {
    code: 'too_many_statements',
    when: `more than ${limits.statements} statements, or more than ${limits.statements} findings without a verdict.`,
  },
  ...internal,
]

export const words: OperationWords<typeof operation> = {
  tags: ['VEX'],
  summary: 'Upload a VEX document',
  description: `Stores one VEX document for the product family of the token. Its statements are bound to the components of the family, and the family's findings are worked out again after the answer. A statement on a component that the family does not have yet waits for it.

The body is the document itself, plain or compressed with gzip or zstd: no form, no wrapping. The format is recognised from the content, compression even without its header.

A later document from the same source for the same version replaces the earlier one; \`replaced\` counts it. Documents for one version and documents for every version do not replace each other. A version that no SBOM has been sent for yet is made; a retired one stays retired.

In CycloneDX an entry with \`analysis.state\` is a statement, any other one a finding that a scanner reports without judging it. CSAF counts one statement for each vulnerability, product and verdict. Scanner findings inside an SBOM need not be sent here: they are kept with that SBOM.

Sending the same document again is safe: the answer is 200 with the stored record and \`replaced\` 0. "The same" means equal bytes after decompression, whatever headers come along, even when another document has replaced the stored one since. When identical uploads arrive together, exactly one is answered 202.

Checks are made in this order: token, rate limit, size and encoding, workspace state, duplicate, the document. The hourly limit is shared with SBOM uploads.

Uploads that the service cannot take because too many wait are answered 500 \`internal\` with \`Retry-After\`.`,
  body: {
    content: {
      'application/json': {
        schema: Type.Object(
          {},
          {
            description:
              'OpenVEX, CSAF 2.0 VEX, or CycloneDX JSON 1.4-1.7 with `vulnerabilities`. The Content-Type may also be `application/vnd.cyclonedx+json` or `application/vnd.openvex+json`.',
            additionalProperties: true,
          },
        ),
      },
      'application/octet-stream': { schema: rawFile },
    },
  },
  answers: {
    200: 'The family already had exactly these bytes; the stored record.',
    202: 'Stored; `duplicate` is false.',
  },
  refusals,
}
