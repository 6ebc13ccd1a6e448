import { exampleBase, exampleId, type PublicExample } from './example.ts'

const published = '2026-01-01T00:00:05.000Z'
const file = 'acme-sa-2026-0001.json'

const refusals: readonly PublicExample[] = [
  {
    name: 'not_found',
    summary: 'There is no such feed or file',
    answer: { status: 404, body: 'Not found' },
  },
  {
    name: 'other_state',
    summary: 'Only another version was asked for',
    request: { headers: { 'if-match': '"of-another-version"' } },
    answer: { status: 412, body: 'Precondition failed' },
  },
]

const publisher = {
  category: 'vendor',
  contact_details: 'Report vulnerabilities to the security contact of Acme: security@acme.example',
  name: 'Acme',
  namespace: `${exampleBase}/csaf/acme`,
}

const providerMetadata: readonly PublicExample[] = [
  {
    name: 'metadata',
    summary: 'The feed of a company that has published',
    answer: {
      status: 200,
      body: {
        canonical_url: `${exampleBase}/csaf/acme/provider-metadata.json`,
        distributions: [{ directory_url: `${exampleBase}/csaf/acme/white/` }],
        last_updated: published,
        list_on_CSAF_aggregators: true,
        metadata_version: '2.0',
        mirror_on_CSAF_aggregators: true,
        publisher,
        role: 'csaf_publisher',
      },
    },
  },
  ...refusals,
]

const advisoryIndex: readonly PublicExample[] = [
  { name: 'one', summary: 'One advisory', answer: { status: 200, body: `2026/${file}\n` } },
  ...refusals,
]

const advisoryChanges: readonly PublicExample[] = [
  { name: 'one', summary: 'One advisory', answer: { status: 200, body: `"2026/${file}","${published}"\n` } },
  ...refusals,
]

const advisorySha256: readonly PublicExample[] = [
  {
    name: 'digest',
    summary: 'As sha256sum writes it',
    answer: { status: 200, body: `${'0123456789abcdef'.repeat(4)}  ${file}\n` },
  },
  ...refusals,
]

const advisorySha512: readonly PublicExample[] = [
  {
    name: 'digest',
    summary: 'As sha512sum writes it',
    answer: { status: 200, body: `${'0123456789abcdef'.repeat(8)}  ${file}\n` },
  },
  ...refusals,
]

const productId = `CSAFPID-${exampleId}`

const document = {
  document: {
    category: 'csaf_vex',
    csaf_version: '2.0',
    distribution: { tlp: { label: 'WHITE', url: 'https://www.first.org/tlp/' } },
    lang: 'en',
    notes: [{ category: 'summary', text: 'Pumps can be stopped from the network.', title: 'Summary' }],
    publisher,
    references: [
      {
        category: 'self',
        summary: 'This document in the feed of its publisher',
        url: `${exampleBase}/csaf/acme/white/2026/${file}`,
      },
      { category: 'external', summary: 'Product page', url: 'https://acme.example/pumps' },
    ],
    title: 'Overflow in pumps',
    tracking: {
      current_release_date: published,
      generator: { engine: { name: 'SBOM Monitor' } },
      id: 'ACME-SA-2026-0001',
      initial_release_date: published,
      revision_history: [{ date: published, number: '1.0.0', summary: 'First publication.' }],
      status: 'final',
      version: '1.0.0',
    },
  },
  product_tree: {
    branches: [
      {
        category: 'vendor',
        name: 'Acme',
        branches: [
          {
            category: 'product_name',
            name: 'Pump 1',
            branches: [
              {
                category: 'product_version',
                name: '1.0',
                product: { name: 'Acme Pump 1 1.0', product_id: productId },
              },
            ],
          },
        ],
      },
    ],
  },
  vulnerabilities: [
    {
      cve: 'CVE-2026-1234',
      ids: [{ system_name: 'European Vulnerability Database', text: 'EUVD-2026-77' }],
      notes: [{ category: 'description', text: 'A long header is written past its buffer.' }],
      product_status: { known_affected: [productId] },
      references: [
        {
          category: 'external',
          summary: 'CVE-2026-1234',
          url: 'https://www.cve.org/CVERecord?id=CVE-2026-1234',
        },
        {
          category: 'external',
          summary: 'CISA Known Exploited Vulnerabilities catalogue',
          url: 'https://www.cisa.gov/known-exploited-vulnerabilities-catalog?search_api_fulltext=CVE-2026-1234',
        },
        {
          category: 'external',
          summary: 'EUVD-2026-77',
          url: 'https://euvd.enisa.europa.eu/vulnerability/EUVD-2026-77',
        },
        { category: 'external', summary: 'Analysis', url: 'https://acme.example/analysis' },
      ],
      remediations: [
        {
          category: 'vendor_fix',
          details: 'Update to 2.0.',
          product_ids: [productId],
          url: 'https://acme.example/2.0',
        },
      ],
      threats: [
        {
          category: 'exploit_status',
          date: published,
          details:
            'Known to be exploited: listed in the CISA Known Exploited Vulnerabilities catalogue (KEV).',
          product_ids: [productId],
        },
      ],
      title: 'Overflow in the parser',
    },
  ],
}

const advisory: readonly PublicExample[] = [
  {
    name: 'advisory',
    summary: 'An advisory about one version of one product',
    answer: { status: 200, body: document },
  },
  ...refusals,
]

/** By operation. */
export const feedExamples = {
  getProviderMetadata: providerMetadata,
  getAdvisoryIndex: advisoryIndex,
  getAdvisoryChanges: advisoryChanges,
  getAdvisory: advisory,
  getAdvisorySha256: advisorySha256,
  getAdvisorySha512: advisorySha512,
}
