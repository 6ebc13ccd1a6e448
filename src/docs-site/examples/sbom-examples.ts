import { exampleBase, exampleId, readOnly, refused, type PublicExample } from './example.ts'

const receipt = {
  id: exampleId,
  status: 'parsed',
  components: 2,
  version: '2.4.1',
  url: `${exampleBase}/app/acme/sboms/${exampleId}`,
  duplicate: false,
}

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

export const invalidJson = refused('invalid_json', {
  detail: 'line 1, column 27: expected a key in double quotes, found the end of the body',
})
const brokenSbom = refused('invalid_sbom', {
  detail: '/components/0/name: expected a string, found nothing',
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

export const uploadSbomExamples: readonly PublicExample[] = [
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
    answer: { status: 202, body: receipt },
  },
  {
    name: 'spdx',
    summary: 'An SPDX file, with the product version in the query',
    request: { query: '?version=2.4.2', body: spdx },
    answer: { status: 202, body: { ...receipt, components: 1, version: '2.4.2' } },
  },
  {
    name: 'duplicate',
    summary: 'The same CycloneDX file again',
    request: { body: cyclonedx },
    answer: { status: 200, body: { ...receipt, status: 'matched', duplicate: true } },
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

export const getSbomResultExamples: readonly PublicExample[] = [
  {
    name: 'matched',
    summary: 'One critical, exploited vulnerability in two components',
    request: { query: '?wait=30' },
    answer: {
      status: 200,
      body: {
        ...receipt,
        status: 'matched',
        matches: {
          total: 1,
          bySeverity: { critical: 1, high: 0, medium: 0, low: 0, none: 0, unknown: 0 },
          byGrade: { exact: 1, possible: 0 },
          exploited: 1,
          malware: 0,
          notAffected: 0,
          coverage: {
            covered: 2,
            notCovered: 0,
            noVersion: 0,
            uncomparable: 0,
            releaseUnknown: 0,
            dataNotLoaded: 0,
            noSource: 0,
          },
        },
        worst: [
          {
            id: 'CVE-2021-44228',
            severity: 'critical',
            grade: 'exact',
            malware: false,
            exploited: true,
            component: {
              name: 'log4j-core',
              version: '2.14.1',
              purl: 'pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1',
            },
            fixedIn: '2.15.0',
            url: `${exampleBase}/app/acme/findings/${exampleId}`,
          },
        ],
      },
    },
  },
  refused('invalid_request', { fields: { wait: 'Expected whole seconds from 0 to 30.' } }),
  refused('unauthorized'),
  refused('family_not_found'),
  refused('rate_limited'),
  refused('not_found'),
]
