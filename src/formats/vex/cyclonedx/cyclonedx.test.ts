import { describe, expect, it } from 'vitest'
import type { VexDocument, VexStatement } from '../../../contract/vex/shapes.ts'
import { limits } from '../../../contract/limits.ts'
import { JsonObject } from '../../json/object.ts'
import { VexHints } from '../hints.ts'
import { CyclonedxReferences } from './cyclonedx-references.ts'
import { readReportedFindings } from './cyclonedx.ts'
import { readVex } from '../read-vex.ts'
import { countersOf, cyclonedx, refusalOf, type Fields } from '../sample-documents.ts'

const serial = '3e671687-395b-41f5-a30f-a58921a69b79'
const surroundings = {
  serialNumber: `urn:uuid:${serial}`,
  metadata: {
    timestamp: '2024-01-02T03:04:05Z',
    component: { 'bom-ref': 'product', name: 'Pump', version: '2.0', purl: 'pkg:generic/pump@2.0' },
  },
  components: [
    {
      'bom-ref': 'a',
      type: 'library',
      name: 'a',
      version: '1',
      purl: 'pkg:npm/a@1',
      components: [{ 'bom-ref': 'b', type: 'library', name: 'b', cpe: 'cpe:2.3:a:b:b:1:*:*:*:*:*:*:*' }],
    },
    { 'bom-ref': 'bare', type: 'library', name: 'bare' },
    { 'bom-ref': 'pkg:npm/c@1?package-id=7', type: 'library', name: 'c', purl: 'pkg:npm/c@1' },
  ],
  services: [{ 'bom-ref': 'service', name: 'service' }],
}
const documentOf = (...vulnerabilities: Fields[]): VexDocument =>
  readVex(cyclonedx({ ...surroundings, vulnerabilities }))
const entry = (fields: Fields = {}) => ({ id: 'CVE-2024-1', ...fields })
const judged = (analysis: Fields, fields: Fields = {}) =>
  entry({ analysis: { state: 'in_triage', ...analysis }, affects: [{ ref: 'a' }], ...fields })
const statementOf = (fields: Fields): VexStatement | undefined => documentOf(fields).statements[0]

describe('broken structure', () => {
  const component = { type: 'library', name: 'a', 'bom-ref': 'a' }
  it.each<[fields: Fields, detail: string]>([
    [{ vulnerabilities: {} }, '/vulnerabilities: expected an array, found an object'],
    [{ vulnerabilities: ['a'] }, '/vulnerabilities/0: expected an object, found a string'],
    [
      { vulnerabilities: [{ affects: {} }] },
      '/vulnerabilities/0/affects: expected an array, found an object',
    ],
    [
      { vulnerabilities: [{ affects: ['a'] }] },
      '/vulnerabilities/0/affects/0: expected an object, found a string',
    ],
    [
      { vulnerabilities: [{ affects: [{}] }] },
      '/vulnerabilities/0/affects/0/ref: expected a string, found nothing',
    ],
    [
      { vulnerabilities: [{ affects: [{ ref: 'a', versions: '1' }] }] },
      '/vulnerabilities/0/affects/0/versions: expected an array, found a string',
    ],
    [
      { vulnerabilities: [{ analysis: 'fixed' }] },
      '/vulnerabilities/0/analysis: expected an object, found a string',
    ],
    [
      { vulnerabilities: [{ analysis: { state: 'fixed' } }] },
      '/vulnerabilities/0/analysis/state: expected one of exploitable, in_triage, resolved, ' +
        'resolved_with_pedigree, not_affected, false_positive, found "fixed"',
    ],
    [{ metadata: 'a' }, '/metadata: expected an object, found a string'],
    [{ metadata: { component: [] } }, '/metadata/component: expected an object, found an array'],
    [{ components: {} }, '/components: expected an array, found an object'],
    [{ components: [{ type: 'library' }] }, '/components/0/name: expected a string, found nothing'],
    [{ components: [{ name: 'a' }] }, '/components/0/type: expected a string, found nothing'],
    [{ components: [{ ...component, purl: 1 }] }, '/components/0/purl: expected a string, found a number'],
    [
      { components: [{ ...component, 'bom-ref': '' }] },
      '/components/0/bom-ref: expected a non-empty string, found an empty string',
    ],
    [
      { components: [component, { ...component, components: [component] }] },
      '/components/1/bom-ref: expected a unique bom-ref, found a duplicate',
    ],
    [
      { components: [component], services: [{ 'bom-ref': 'a' }] },
      '/services/0/bom-ref: expected a unique bom-ref, found a duplicate',
    ],
    [{ services: ['a'] }, '/services/0: expected an object, found a string'],
    [{ dependencies: [{}] }, '/dependencies/0/ref: expected a string, found nothing'],
    [
      { dependencies: [{ ref: 'a', dependsOn: [1] }] },
      '/dependencies/0/dependsOn/0: expected a string, found a number',
    ],
  ])('%j', (fields, detail) => {
    expect(refusalOf(cyclonedx({ vulnerabilities: [entry()], ...fields }))).toBe(`invalid_vex ${detail}`)
  })
})

describe('statements and findings', () => {
  it('only a state makes a statement', () => {
    const document = documentOf(
      entry(),
      judged({}),
      entry({ analysis: { detail: 'not set', response: ['update'], justification: 'code_not_present' } }),
      entry({ analysis: null, affects: [] }),
    )
    expect(countersOf(document)).toEqual([1, 3, 0])
    expect(document.findings.map(({ pointer }) => pointer)).toEqual([
      '/vulnerabilities/0',
      '/vulnerabilities/2',
      '/vulnerabilities/3',
    ])
  })

  it('everything that an entry says is kept', () => {
    expect(
      statementOf({
        id: 'GHSA-1',
        references: [{ id: 'CVE-2024-2', source: {} }, {}],
        recommendation: 'update',
        workaround: 'avoid',
        updated: '2024-02-02T00:00:00Z',
        analysis: {
          state: 'false_positive',
          justification: 'requires_environment',
          detail: 'because',
          response: ['will_not_fix', 'update'],
          firstIssued: '2024-03-03T00:00:00Z',
        },
        affects: [{ ref: 'a' }],
      }),
    ).toEqual({
      pointer: '/vulnerabilities/0',
      vulnerabilityIds: ['GHSA-1', 'CVE-2024-2'],
      verdict: 'not_affected',
      rawStatus: 'false_positive',
      justification: 'vulnerable_code_cannot_be_controlled_by_adversary',
      rawJustification: 'requires_environment',
      impact: 'because',
      action: 'update',
      responses: ['will_not_fix', 'update'],
      time: '2024-03-03T00:00:00.000Z',
      targets: [{ kind: 'component', purl: 'pkg:npm/a@1' }],
      productLabel: 'a 1',
    })
  })

  it.each<[name: string, times: { analysis?: Fields; updated?: string }, expected: string]>([
    ['of the document', {}, '2024-01-02'],
    ['of the vulnerability', { updated: '2024-02-02T00:00:00Z' }, '2024-02-02'],
    [
      'of the last analysis',
      { updated: '2024-02-02T00:00:00Z', analysis: { lastUpdated: '2024-04-04T00:00:00Z' } },
      '2024-04-04',
    ],
  ])('the time %s', (_name, { analysis = {}, ...fields }, expected) => {
    expect(statementOf(judged(analysis, fields))?.time?.slice(0, 10)).toBe(expected)
  })

  it('the document tells who wrote it', () => {
    const metadata = { authors: [{ name: 'Ada' }], manufacturer: { name: 'Example' } }
    const read = (fields: Fields) => readVex(cyclonedx({ vulnerabilities: [entry()], metadata: fields }))
    expect(read(metadata).author).toBe('Ada')
    expect(read({ ...metadata, authors: [] }).author).toBe('Example')
    expect(read({ supplier: { name: 'Supplier' } }).author).toBe('Supplier')
    expect(read({ tools: [{ vendor: 'anchore', name: 'grype' }] }).author).toBe('grype')
    expect(read({ tools: { components: [{ type: 'application', name: 'trivy' }] } }).author).toBe('trivy')
    expect(read({})).not.toHaveProperty('author')
  })

  it('many entries under one reference are a hint', () => {
    expect(documentOf(judged({}, { 'bom-ref': 'v' }), judged({}, { 'bom-ref': 'v' })).hints).toEqual([
      'Several vulnerability entries have the same reference (/vulnerabilities/1).',
    ])
  })
})

describe('what a reference means', () => {
  const bomLink = { serialNumber: '2c385cf7-e1ee-46e9-a51c-13de1ecb380a', version: 2, ref: 'a' }
  const link = 'urn:cdx:2C385CF7-e1ee-46e9-a51c-13de1ecb380a/2'
  const unbound = (unboundReason: string, productLabel: string) => ({
    targets: [],
    unboundReason,
    productLabel,
  })

  it.each<[ref: string, expected: object]>([
    ['product', { targets: [{ kind: 'product', purl: 'pkg:generic/pump@2.0' }], productLabel: 'Pump 2.0' }],
    ['a', { targets: [{ kind: 'component', purl: 'pkg:npm/a@1' }], productLabel: 'a 1' }],
    ['b', { targets: [{ kind: 'component', cpe: 'cpe:2.3:a:b:b:1:*:*:*:*:*:*:*' }] }],
    ['pkg:npm/c@1?package-id=7', { targets: [{ kind: 'component', purl: 'pkg:npm/c@1' }] }],
    ['bare', unbound('no_identifier', 'bare')],
    ['service', unbound('no_identifier', 'service')],
    ['pkg:npm/d@1', { targets: [{ kind: 'component', purl: 'pkg:npm/d@1' }], productLabel: 'pkg:npm/d@1' }],
    ['cpe:/a:b:c', { targets: [{ kind: 'component', cpe: 'cpe:/a:b:c' }] }],
    ['e', unbound('unknown_reference', 'e')],
    ['', unbound('unknown_reference', '')],
    ['__proto__', unbound('unknown_reference', '__proto__')],
    [`urn:cdx:${serial}/1#a`, { targets: [{ kind: 'component', purl: 'pkg:npm/a@1' }], productLabel: 'a 1' }],
    [
      `urn:cdx:${serial}/2#a`,
      { targets: [{ kind: 'bom_link', bomLink: { version: 2 } }], unboundReason: 'unknown_reference' },
    ],
    [`${link}#a`, { targets: [{ kind: 'bom_link', bomLink }], unboundReason: 'unknown_reference' }],
    [
      `${link}#pkg%3Anpm%2F%2540x%2Fy%401`,
      {
        targets: [
          { kind: 'bom_link', bomLink: { ...bomLink, ref: 'pkg:npm/%40x/y@1' }, purl: 'pkg:npm/%40x/y@1' },
        ],
      },
    ],
    [link, unbound('unknown_reference', link)],
    [`${link}#`, unbound('unknown_reference', `${link}#`)],
    ['urn:cdx:x/1#a', unbound('unknown_reference', 'urn:cdx:x/1#a')],
  ])('%s', (ref, expected) => {
    const statement = statementOf(judged({}, { affects: [{ ref }] }))
    expect(statement).toMatchObject(expected)
    expect(statement?.unboundReason).toBe((expected as VexStatement).unboundReason)
  })

  it('no affects: nothing is bound', () => {
    expect(statementOf(judged({}, { affects: undefined }))).toMatchObject({ unboundReason: 'no_product' })
  })

  it('one bindable reference is enough', () => {
    const statement = statementOf(judged({}, { affects: [{ ref: 'e' }, { ref: 'a' }, { ref: 'a' }] }))
    expect(statement).not.toHaveProperty('unboundReason')
    expect(statement?.targets).toHaveLength(1)
  })

  it('a reference that the product and a component share means the product', () => {
    const components = [{ 'bom-ref': 'p', type: 'library', name: 'p', purl: 'pkg:npm/p' }]
    const { statements, hints } = readVex(
      cyclonedx({
        metadata: { component: { 'bom-ref': 'p', name: 'P' } },
        components,
        vulnerabilities: [judged({}, { affects: [{ ref: 'p' }] })],
      }),
    )
    expect(statements[0]?.targets).toEqual([{ kind: 'product', purl: 'pkg:npm/p' }])
    expect(hints).toEqual(['The product is repeated among its components (/components/0).'])
  })

  it.each<[beside: Fields, expected: string]>([
    [{ version: '2.0.0' }, 'pkg:npm/left@2.0.0'],
    [{ version: '2.0.0', purl: 'pkg:npm/left?x=1#sub' }, 'pkg:npm/left@2.0.0?x=1#sub'],
    [{ version: '2.0.0', purl: 'pkg:npm/left@1.0.0' }, 'pkg:npm/left@1.0.0'],
    [{ version: 'latest' }, 'pkg:npm/left'],
    [{}, 'pkg:npm/left'],
  ])('a component with %j beside its purl is that version of it', (beside, expected) => {
    const left = { 'bom-ref': 'left', type: 'library', name: 'left', purl: 'pkg:npm/left', ...beside }
    const vulnerabilities = [judged({}, { affects: [{ ref: 'left' }] })]
    const { statements } = readVex(cyclonedx({ components: [left], vulnerabilities }))
    expect(statements[0]?.targets).toEqual([{ kind: 'component', purl: expected }])
  })

  it.each<[versions: unknown, expected: unknown]>([
    [[], undefined],
    [
      [{ version: '1' }, { range: 'vers:npm/<2', status: 'unaffected' }],
      [
        { version: '1', status: 'affected' },
        { range: 'vers:npm/<2', status: 'unaffected' },
      ],
    ],
    [[{ version: '1', status: 'maybe' }], [{ version: '1', status: 'unknown' }]],
    [[{}, 'x', { version: 'x'.repeat(201) }], []],
  ])('versions %j', (versions, expected) => {
    const statement = statementOf(judged({}, { affects: [{ ref: 'a', versions }] }))
    expect(statement?.targets[0]?.versions).toEqual(expected)
  })
})

describe('what producers send', () => {
  const uuid = '7b2f0b6e-0f5c-4d0c-9c2b-3f1f4a8a6c11'
  const project = { 'bom-ref': uuid, type: 'application', name: 'Pump', version: '2.0' }
  const component = { 'bom-ref': 'c', type: 'library', name: 'c', purl: 'pkg:npm/c@1' }
  const on = (ref: string, analysis?: Fields) => entry({ affects: [{ ref }], ...(analysis && { analysis }) })

  it.each<[name: string, fields: Fields, counters: [number, number, number]]>([
    [
      'the tracking platform, VEX of a project without purl: all of it is about the product, and unbound',
      { metadata: { component: project }, vulnerabilities: [on(uuid, { state: 'in_triage' }), on(uuid)] },
      [1, 1, 1],
    ],
    [
      'the tracking platform, VEX of a project with purl',
      {
        metadata: { component: { ...project, purl: 'pkg:generic/pump@2.0' } },
        vulnerabilities: [on(uuid, { state: 'exploitable' }), on(uuid, { response: ['update'] })],
      },
      [1, 1, 0],
    ],
    [
      'the tracking platform, vulnerability report: refs to components, an entry for each under one bom-ref',
      {
        metadata: { component: project },
        components: [component],
        vulnerabilities: [
          { ...on('c', { state: 'false_positive' }), 'bom-ref': 'v' },
          { ...on('c'), 'bom-ref': 'v' },
        ],
      },
      [1, 1, 0],
    ],
    [
      'a scanner with components, no analysis',
      { components: [component], vulnerabilities: [{ ...on('c'), source: {} }] },
      [0, 1, 0],
    ],
    ['a scanner without affects', { vulnerabilities: [entry({ affects: [] })] }, [0, 1, 0]],
  ])('%s', (_name, fields, counters) => {
    expect(countersOf(readVex(cyclonedx(fields)))).toEqual(counters)
  })
})

describe('findings inside an SBOM', () => {
  const bom = (fields: Fields) => cyclonedx({ ...surroundings, ...fields })

  it('are all kept, whatever their number', () => {
    const many = Array.from({ length: limits.statements + 1 }, () => entry({ affects: [{ ref: 'a' }] }))
    const found = readReportedFindings(bom({ vulnerabilities: [...many, judged({})] }))
    expect(found && countersOf(found)).toEqual([1, limits.statements + 1, 0])
  })

  it.each<[name: string, value: unknown]>([
    ['no vulnerabilities', bom({})],
    ['an empty list', bom({ vulnerabilities: [] })],
    ['an SPDX document', { spdxVersion: 'SPDX-2.3', vulnerabilities: [entry()] }],
    ['an array', []],
  ])('there are none: %s', (_name, value) => {
    expect(readReportedFindings(value)).toBeNull()
  })
})

describe('limits', () => {
  const many = (count: number, item: Fields) => Array.from({ length: count }, () => item)

  it.each<[name: string, entries: Fields[], expected: string]>([
    ['50 000 of each', [...many(limits.statements, entry()), ...many(limits.statements, judged({}))], 'read'],
    ['one finding more', many(limits.statements + 1, entry()), 'too_many_statements'],
    ['one statement more', many(limits.statements + 1, judged({})), 'too_many_statements'],
    ['entries that say nothing count, too', many(limits.statements + 1, {}), 'too_many_statements'],
  ])('%s', (_name, vulnerabilities, expected) => {
    expect(refusalOf(cyclonedx({ ...surroundings, vulnerabilities }))).toBe(expected)
  })
})

describe('a component whose names were concluded', () => {
  const cpe = (product: string, version: string) => `cpe:2.3:a:c:${product}:${version}:*:*:*:*:*:*:*`
  const conclude = (...values: string[]) => ({
    evidence: {
      identity: values.map((concludedValue) => ({
        field: concludedValue.startsWith('pkg:') ? 'purl' : 'cpe',
        concludedValue,
      })),
    },
  })
  const components = [
    { 'bom-ref': 'a', type: 'library', name: 'a', version: '1', ...conclude('pkg:npm/a', 'pkg:npm/b@1') },
    {
      'bom-ref': 'c',
      type: 'library',
      name: 'c',
      ...conclude(cpe('c', '1'), cpe('d', '1'), cpe('e', '2'), cpe('f', '*')),
    },
  ]

  it('is named by them', () => {
    const vulnerabilities = [judged({}, { affects: [{ ref: 'a' }, { ref: 'c' }] })]
    const [statement] = readVex(cyclonedx({ components, vulnerabilities })).statements
    expect(statement?.targets).toEqual([
      { kind: 'component', purl: 'pkg:npm/a@1' },
      { kind: 'component', purl: 'pkg:npm/b@1' },
      { kind: 'component', cpe: cpe('c', '1') },
      { kind: 'component', cpe: cpe('d', '1') },
      { kind: 'component', cpe: cpe('f', '*') },
    ])
  })

  it('is found by each of its names', () => {
    const sbom = JsonObject.root(cyclonedx({ components }), 'invalid_sbom')
    if (sbom === undefined) throw new Error('no object')
    const references = new CyclonedxReferences(sbom, new VexHints())
    expect(references.findAll(new Set(['pkg:npm/b@1', 'pkg:npm/other', cpe('d', '1')]))).toEqual([
      { ref: 'a', identifier: 'pkg:npm/b@1' },
      { ref: 'c', identifier: cpe('d', '1') },
    ])
  })
})
