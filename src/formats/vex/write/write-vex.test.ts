import { describe, expect, it } from 'vitest'
import { vexFormats } from '../../../contract/vex/shapes.ts'
import { readVex } from '../read-vex.ts'
import type { VexState } from '../vex-state.ts'
import { writeVex } from './write-vex.ts'

const state: VexState = {
  revision: {
    documentId: '3e671687-395b-41f5-a30f-a58921a69b79',
    number: 1,
    firstAt: new Date('2024-06-01T12:00:00.000Z'),
    at: new Date('2024-06-01T12:00:00.000Z'),
  },
  author: 'Example Pumps',
  namespace: 'https://pumps.example.com',
  address: 'https://pumps.example.com/vex#3e671687-395b-41f5-a30f-a58921a69b79.json',
  product: { name: 'Pump Control', version: '2.0', purl: 'pkg:generic/pump-control@2.0' },
  entries: [
    {
      vulnerabilityIds: ['CVE-2024-1000', 'GHSA-aaaa'],
      verdict: 'not_affected',
      justification: 'vulnerable_code_not_in_execute_path',
      impact: 'The parser is never called.',
      time: '2024-05-01T00:00:00.000Z',
      targets: [
        { kind: 'component', purl: 'pkg:npm/a@1.0.0' },
        { kind: 'component', purl: 'pkg:npm/b@1.0.0', cpe: 'cpe:2.3:a:b:b:1.0.0:*:*:*:*:*:*:*' },
      ],
    },
    {
      vulnerabilityIds: ['CVE-2024-1000'],
      verdict: 'affected',
      time: '2024-05-02T00:00:00.000Z',
      targets: [{ kind: 'component', cpe: 'cpe:/a:c:c' }],
    },
    {
      vulnerabilityIds: ['GHSA-bbbb'],
      verdict: 'fixed',
      action: 'Update to 2.0.',
      time: '2024-05-03T00:00:00.000Z',
      targets: [{ kind: 'product' }],
    },
  ],
}
const written = (format: (typeof vexFormats)[number], changes: Partial<VexState> = {}): unknown =>
  JSON.parse(writeVex(format, { ...state, ...changes }))

it('OpenVEX 0.2.0', () => {
  const product = { '@id': 'pkg:generic/pump-control@2.0' }
  expect(written('openvex')).toEqual({
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': 'urn:uuid:3e671687-395b-41f5-a30f-a58921a69b79',
    author: 'Example Pumps',
    role: 'Vendor',
    timestamp: '2024-06-01T12:00:00.000Z',
    version: 1,
    statements: [
      {
        vulnerability: { name: 'CVE-2024-1000', aliases: ['GHSA-aaaa'] },
        timestamp: '2024-05-01T00:00:00.000Z',
        products: [
          {
            ...product,
            subcomponents: [
              { '@id': 'pkg:npm/a@1.0.0' },
              {
                '@id': 'pkg:npm/b@1.0.0',
                identifiers: { purl: 'pkg:npm/b@1.0.0', cpe23: 'cpe:2.3:a:b:b:1.0.0:*:*:*:*:*:*:*' },
              },
            ],
          },
        ],
        status: 'not_affected',
        justification: 'vulnerable_code_not_in_execute_path',
        impact_statement: 'The parser is never called.',
      },
      {
        vulnerability: { name: 'CVE-2024-1000' },
        timestamp: '2024-05-02T00:00:00.000Z',
        products: [
          { ...product, subcomponents: [{ '@id': 'cpe:/a:c:c', identifiers: { cpe22: 'cpe:/a:c:c' } }] },
        ],
        status: 'affected',
        action_statement: 'No remedy is known yet.',
      },
      {
        vulnerability: { name: 'GHSA-bbbb' },
        timestamp: '2024-05-03T00:00:00.000Z',
        products: [product],
        status: 'fixed',
        action_statement: 'Update to 2.0.',
      },
    ],
  })
})

it('CSAF 2.0', () => {
  const part = (number: number, name: string) => ({
    category: 'default_component_of',
    full_product_name: {
      name: `${name} in Pump Control 2.0`,
      product_id: `component-${number}-in-product`,
      product_identification_helper: name.startsWith('cpe:') ? { cpe: name } : { purl: name },
    },
    product_reference: `component-${number}`,
    relates_to_product_reference: 'product',
  })
  expect(written('csaf')).toMatchObject({
    document: {
      category: 'csaf_vex',
      distribution: { tlp: { label: 'WHITE', url: 'https://www.first.org/tlp/' } },
      publisher: { name: 'Example Pumps', namespace: 'https://pumps.example.com' },
      references: [{ category: 'self', url: state.address }],
      tracking: {
        id: '3e671687-395b-41f5-a30f-a58921a69b79',
        version: '1.0.0',
        current_release_date: '2024-06-01T12:00:00.000Z',
      },
    },
    product_tree: {
      branches: [
        {
          category: 'vendor',
          name: 'Example Pumps',
          branches: [
            {
              category: 'product_name',
              name: 'Pump Control',
              branches: [
                {
                  category: 'product_version',
                  name: '2.0',
                  product: {
                    name: 'Pump Control 2.0',
                    product_id: 'product',
                    product_identification_helper: { purl: 'pkg:generic/pump-control@2.0' },
                  },
                },
              ],
            },
          ],
        },
      ],
      full_product_names: [
        {
          name: 'pkg:npm/a@1.0.0',
          product_id: 'component-1',
          product_identification_helper: { purl: 'pkg:npm/a@1.0.0' },
        },
        { product_id: 'component-2' },
        { product_id: 'component-3', product_identification_helper: { cpe: 'cpe:/a:c:c' } },
      ],
      relationships: [part(1, 'pkg:npm/a@1.0.0'), part(2, 'pkg:npm/b@1.0.0'), part(3, 'cpe:/a:c:c')],
    },
    vulnerabilities: [
      {
        cve: 'CVE-2024-1000',
        ids: [{ system_name: 'GitHub Security Advisory', text: 'GHSA-aaaa' }],
        notes: [{ category: 'general', text: 'CVE-2024-1000 in Pump Control 2.0.' }],
        product_status: {
          known_not_affected: ['component-1-in-product', 'component-2-in-product'],
          known_affected: ['component-3-in-product'],
        },
        flags: [
          {
            label: 'vulnerable_code_not_in_execute_path',
            date: '2024-05-01T00:00:00.000Z',
            product_ids: ['component-1-in-product', 'component-2-in-product'],
          },
        ],
        threats: [{ category: 'impact', details: 'The parser is never called.' }],
        remediations: [
          {
            category: 'none_available',
            details: 'No remedy is known yet.',
            date: '2024-05-02T00:00:00.000Z',
            product_ids: ['component-3-in-product'],
          },
        ],
      },
      {
        ids: [{ text: 'GHSA-bbbb' }],
        product_status: { fixed: ['product'] },
        remediations: [{ category: 'vendor_fix', details: 'Update to 2.0.', product_ids: ['product'] }],
      },
    ],
  })
})

it('CycloneDX 1.6', () => {
  expect(written('cyclonedx')).toEqual({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: 'urn:uuid:3e671687-395b-41f5-a30f-a58921a69b79',
    version: 1,
    metadata: {
      timestamp: '2024-06-01T12:00:00.000Z',
      manufacturer: { name: 'Example Pumps' },
      component: {
        'bom-ref': 'product',
        type: 'application',
        name: 'Pump Control',
        version: '2.0',
        purl: 'pkg:generic/pump-control@2.0',
      },
    },
    components: [
      { 'bom-ref': 'component-1', type: 'library', name: 'a', version: '1.0.0', purl: 'pkg:npm/a@1.0.0' },
      {
        'bom-ref': 'component-2',
        type: 'library',
        name: 'b',
        version: '1.0.0',
        purl: 'pkg:npm/b@1.0.0',
        cpe: 'cpe:2.3:a:b:b:1.0.0:*:*:*:*:*:*:*',
      },
      { 'bom-ref': 'component-3', type: 'library', name: 'c', cpe: 'cpe:/a:c:c' },
    ],
    vulnerabilities: [
      {
        id: 'CVE-2024-1000',
        source: { name: 'NVD' },
        references: [{ id: 'GHSA-aaaa', source: { name: 'GITHUB' } }],
        analysis: {
          state: 'not_affected',
          justification: 'code_not_reachable',
          detail: 'The parser is never called.',
          lastUpdated: '2024-05-01T00:00:00.000Z',
        },
        affects: [{ ref: 'component-1' }, { ref: 'component-2' }],
      },
      {
        id: 'CVE-2024-1000',
        source: { name: 'NVD' },
        analysis: { state: 'exploitable', lastUpdated: '2024-05-02T00:00:00.000Z' },
        affects: [{ ref: 'component-3' }],
      },
      {
        id: 'GHSA-bbbb',
        source: { name: 'GITHUB' },
        recommendation: 'Update to 2.0.',
        analysis: { state: 'resolved', lastUpdated: '2024-05-03T00:00:00.000Z' },
        affects: [{ ref: 'product' }],
      },
    ],
  })
})

it('CSAF has its keys in alphabetical order (6.2.13)', () => {
  const inOrder = (value: unknown): boolean => {
    if (typeof value !== 'object' || value === null) return true
    const keys = Object.keys(value)
    const isSorted = Array.isArray(value) || keys.join() === keys.toSorted().join()
    return isSorted && Object.values(value).every(inOrder)
  }
  expect(inOrder(written('csaf'))).toBe(true)
})

it('CSAF names a product without identifiers by an id of ours (3.1.3.3.8)', () => {
  const product = { name: 'Pump Control', version: null, id: 'urn:uuid:3e671687-395b-41f5-a30f-a58921a69b79' }
  expect(written('csaf', { product })).toMatchObject({
    product_tree: {
      branches: [
        {
          branches: [
            {
              product: {
                product_identification_helper: {
                  x_generic_uris: [{ namespace: 'https://pumps.example.com', uri: product.id }],
                },
              },
            },
          ],
        },
      ],
    },
  })
})

describe('a form', () => {
  const [first, second] = state.entries
  const entries = first && second ? [first, second] : []

  it('of OpenVEX makes the components products by themselves', () => {
    expect(written('openvex', { form: 'component' })).toMatchObject({
      statements: [
        { products: [{ '@id': 'pkg:npm/a@1.0.0' }, { '@id': 'pkg:npm/b@1.0.0' }] },
        { products: [{ '@id': 'cpe:/a:c:c' }] },
        { products: [{ '@id': 'pkg:generic/pump-control@2.0' }] },
      ],
    })
    expect(JSON.stringify(written('openvex', { form: 'component' }))).not.toContain('subcomponents')
  })

  it('of CycloneDX names components by their places in the SBOM, and keeps what hides something for the end', () => {
    const bom = 'urn:cdx:3e671687-395b-41f5-a30f-a58921a69b79/1'
    const links = new Map([['pkg:npm/a@1.0.0', [`${bom}#a`, `${bom}#also%20a`]]])
    expect(written('cyclonedx', { form: 'bom_link', links, entries })).toMatchObject({
      components: [
        { 'bom-ref': 'component-1', name: 'c' },
        { 'bom-ref': 'component-2', name: 'b' },
      ],
      vulnerabilities: [
        { analysis: { state: 'exploitable' }, affects: [{ ref: 'component-1' }] },
        {
          analysis: { state: 'not_affected' },
          affects: [{ ref: `${bom}#a` }, { ref: `${bom}#also%20a` }, { ref: 'component-2' }],
        },
      ],
    })
  })

  it('of CycloneDX has an entry for each id', () => {
    const affects = [{ ref: 'component-1' }, { ref: 'component-2' }]
    expect(written('cyclonedx', { form: 'every_id', entries })).toMatchObject({
      vulnerabilities: [
        { id: 'CVE-2024-1000', source: { name: 'NVD' }, references: [{ id: 'GHSA-aaaa' }], affects },
        { id: 'GHSA-aaaa', source: { name: 'GITHUB' }, references: [{ id: 'CVE-2024-1000' }], affects },
        { id: 'CVE-2024-1000', affects: [{ ref: 'component-3' }] },
      ],
    })
  })
})

it('CycloneDX names the group of a component', () => {
  const targets = [{ kind: 'component' as const, purl: 'pkg:npm/%40acme/a@1.0.0' }]
  const entries = state.entries.slice(0, 1).map((entry) => ({ ...entry, targets }))
  expect(written('cyclonedx', { entries })).toMatchObject({
    components: [{ group: '@acme', name: 'a', version: '1.0.0' }],
  })
})

describe.each(vexFormats)('%s', (format) => {
  it('cannot say that there is nothing to say', () => {
    expect(() => writeVex(format, { ...state, entries: [] })).toThrow(
      expect.objectContaining({ code: 'no_statements' }),
    )
  })

  it('has nothing that its reader objects to', () => {
    expect(readVex(written(format)).hints).toEqual([])
  })
})

describe('a later export', () => {
  const revision = { ...state.revision, number: 3, at: new Date('2024-07-01T00:00:00.000Z') }

  it.each([
    [
      'openvex',
      { version: 3, timestamp: '2024-06-01T12:00:00.000Z', last_updated: '2024-07-01T00:00:00.000Z' },
    ],
    ['cyclonedx', { version: 3, metadata: { timestamp: '2024-07-01T00:00:00.000Z' } }],
    [
      'csaf',
      {
        document: {
          tracking: {
            version: '1.2.0',
            initial_release_date: '2024-06-01T12:00:00.000Z',
            current_release_date: '2024-07-01T00:00:00.000Z',
            revision_history: [{ number: '1.0.0' }, { number: '1.2.0' }],
          },
        },
      },
    ],
  ] as const)('in %s keeps the id and says which it is', (format, expected) => {
    expect(written(format, { revision })).toMatchObject(expected)
    expect(JSON.stringify(written(format, { revision }))).toContain(state.revision.documentId)
  })
})

describe('a product without version or with one that means a range', () => {
  it.each<[version: string | null, name: string]>([
    [null, 'Pump Control'],
    ['1.0 and later', 'Pump Control 1.0 and later'],
    ['<2', 'Pump Control <2'],
  ])('%j is a product name in CSAF', (version, name) => {
    expect(written('csaf', { product: { name: 'Pump Control', version } })).toMatchObject({
      product_tree: {
        branches: [
          { branches: [{ category: 'product_name', name, product: { name, product_id: 'product' } }] },
        ],
      },
    })
  })

  it('has a generic package URL in OpenVEX', () => {
    expect(written('openvex', { product: { name: 'Pump Control', version: 'ä/1' } })).toMatchObject({
      statements: [{ products: [{ '@id': 'pkg:generic/Pump%20Control@%C3%A4%2F1' }] }, {}, {}],
    })
  })
})
