import { exampleBase, exampleId, refused, type PublicExample } from '../../../docs-site/examples/example.ts'
import { invalidJson, tokenRefused } from '../upload-examples.ts'

const receipt = {
  id: exampleId,
  format: 'openvex',
  statements: 1,
  findings: 0,
  unbound: 0,
  version: '2.4.1',
  replaced: 0,
  url: `${exampleBase}/app/acme/vex/${exampleId}`,
  duplicate: false,
}

const openvex = {
  '@context': 'https://openvex.dev/ns/v0.2.0',
  '@id': 'https://acme.example/vex/pump-controller-2.4.1',
  author: 'Acme',
  timestamp: '2026-01-01T00:00:00Z',
  version: 1,
  statements: [
    {
      vulnerability: { name: 'CVE-2021-44228' },
      products: [{ '@id': 'pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1' }],
      status: 'not_affected',
      justification: 'vulnerable_code_not_in_execute_path',
    },
  ],
}

const cyclonedx = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  components: [
    {
      'bom-ref': 'left-pad',
      type: 'library',
      name: 'left-pad',
      version: '1.3.0',
      purl: 'pkg:npm/left-pad@1.3.0',
    },
  ],
  vulnerabilities: [
    { id: 'CVE-2026-1001', analysis: { state: 'in_triage' }, affects: [{ ref: 'left-pad' }] },
    { id: 'CVE-2026-1002', affects: [{ ref: 'left-pad' }] },
  ],
}

const csaf = {
  document: {
    category: 'csaf_vex',
    csaf_version: '2.0',
    title: 'Pump controller',
    publisher: { category: 'vendor', name: 'Acme', namespace: 'https://acme.example' },
    tracking: {
      id: 'ACME-VEX-1',
      status: 'final',
      version: '1',
      initial_release_date: '2026-01-01T00:00:00Z',
      current_release_date: '2026-01-01T00:00:00Z',
      revision_history: [{ date: '2026-01-01T00:00:00Z', number: '1', summary: 'First' }],
    },
  },
  product_tree: {
    full_product_names: [
      {
        product_id: 'LEFT-PAD',
        name: 'left-pad 1.3.0',
        product_identification_helper: { purl: 'pkg:npm/left-pad@1.3.0' },
      },
    ],
  },
  vulnerabilities: [
    {
      cve: 'CVE-2026-1003',
      notes: [{ category: 'description', text: 'An endless loop.' }],
      product_status: { fixed: ['LEFT-PAD'] },
    },
  ],
}

export const examples: readonly PublicExample[] = [
  {
    name: 'openvex',
    summary: 'OpenVEX for one version',
    request: {
      headers: { 'X-Service-Version': '2.4.1', 'X-Service-Source': 'pipeline_ci' },
      body: openvex,
    },
    answer: { status: 202, body: receipt },
  },
  {
    name: 'csaf',
    summary: 'CSAF 2.0 for every version of the family',
    request: { headers: { 'X-Service-Source': 'hosted_ci' }, body: csaf },
    answer: { status: 202, body: { ...receipt, format: 'csaf', version: null } },
  },
  {
    name: 'cyclonedx',
    summary:
      "CycloneDX with a verdict and a scanner's finding; it replaces the OpenVEX document of the same source and version",
    request: {
      headers: { 'X-Service-Version': '2.4.1', 'X-Service-Source': 'pipeline_ci' },
      body: cyclonedx,
    },
    answer: { status: 202, body: { ...receipt, format: 'cyclonedx', findings: 1, replaced: 1 } },
  },
  {
    name: 'duplicate',
    summary: 'The same OpenVEX document again',
    request: { body: openvex },
    answer: { status: 200, body: { ...receipt, duplicate: true } },
  },
  ...tokenRefused,
  refused('empty'),
  refused('bad_encoding', {
    detail: 'Content-Encoding: expected gzip, x-gzip, zstd or identity, found "br"',
  }),
  invalidJson,
  refused('invalid_vex', { detail: '/statements: expected an array, found an object' }),
  refused('unsupported_vex', { detail: 'CycloneDX 1.6 without vulnerabilities' }),
  refused('no_statements'),
  refused('too_many_statements'),
]
