import { refused, type PublicExample } from '../../../docs-site/examples/example.ts'
import { invalidJson, oldFormat, sbomReceipt, tokenRefused } from '../upload-examples.ts'

const cyclonedx = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  serialNumber: 'urn:uuid:3e671687-395b-41f5-a30f-a58921a69b79',
  version: 1,
  metadata: { component: { type: 'application', name: 'pump-controller', version: '2.4.1' } },
  components: [
    {
      type: 'library',
      name: 'log4j-core',
      version: '2.14.1',
      purl: 'pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1',
    },
    { type: 'library', name: 'left-pad', version: '1.3.0', purl: 'pkg:npm/left-pad@1.3.0' },
  ],
}

const spdx = {
  spdxVersion: 'SPDX-2.3',
  SPDXID: 'SPDXRef-DOCUMENT',
  dataLicense: 'CC0-1.0',
  name: 'pump-controller',
  documentNamespace: 'https://acme.example/sbom/pump-controller-2.4.2',
  creationInfo: { created: '2026-01-01T00:00:00Z', creators: ['Tool: build'] },
  packages: [
    {
      SPDXID: 'SPDXRef-left-pad',
      name: 'left-pad',
      versionInfo: '1.3.0',
      downloadLocation: 'NOASSERTION',
      externalRefs: [
        {
          referenceCategory: 'PACKAGE-MANAGER',
          referenceType: 'purl',
          referenceLocator: 'pkg:npm/left-pad@1.3.0',
        },
      ],
    },
  ],
}

const brokenSbom = refused('invalid_sbom', {
  detail: '/components/0/name: expected a string, found nothing',
})

export const examples: readonly PublicExample[] = [
  {
    name: 'cyclonedx',
    summary: 'A CycloneDX file from a pipeline',
    request: {
      headers: {
        'X-Service-Version': '2.4.1',
        'X-Service-Source': 'pipeline_ci',
        'X-Service-Commit': '9f3c1ab',
        'X-Service-Branch': 'main',
        'X-Service-Repo': 'acme/pump-controller',
        'X-Service-Run-Url': 'https://ci.acme.example/runs/42',
      },
      body: cyclonedx,
    },
    answer: { status: 202, body: sbomReceipt },
  },
  {
    name: 'spdx',
    summary: 'An SPDX file, with the product version in the query',
    request: { query: '?version=2.4.2', body: spdx },
    answer: { status: 202, body: { ...sbomReceipt, components: 1, version: '2.4.2' } },
  },
  {
    name: 'duplicate',
    summary: 'The same CycloneDX file again',
    request: { body: cyclonedx },
    answer: { status: 200, body: { ...sbomReceipt, status: 'matched', duplicate: true } },
  },
  ...tokenRefused,
  refused('empty'),
  refused('bad_encoding', { detail: 'Content-Encoding: expected gzip, x-gzip or identity, found "br"' }),
  invalidJson,
  brokenSbom,
  refused('xml_unsupported'),
  oldFormat,
  refused('too_many_components'),
]
