import {
  exampleBase,
  exampleId,
  readOnly,
  refused,
  type PublicExample,
} from '../../docs-site/examples/example.ts'

/** Of a file with two components. */
export const sbomReceipt = {
  id: exampleId,
  status: 'parsed',
  components: 2,
  version: '2.4.1',
  url: `${exampleBase}/app/acme/sboms/${exampleId}`,
  duplicate: false,
}

export const invalidJson = refused('invalid_json', {
  detail: 'line 1, column 27: expected a key in double quotes, found the end of the body',
})
export const oldFormat = refused('unsupported_format', { detail: 'CycloneDX 1.3' })

/** Refusals of every request with an upload token. */
export const tokenRefused: readonly PublicExample[] = [
  refused('unauthorized'),
  refused('family_not_found'),
  refused('rate_limited'),
  readOnly,
  refused('too_large', { detail: 'more than 4194304 bytes as sent' }),
]
