import { describe, expect, it } from 'vitest'
import {
  defectsOf,
  hintsOf,
  library,
  readCyclonedxOf as read,
  refusalOf,
  type Fields,
} from '../sample-documents.ts'

describe('what is read', () => {
  const document = read({
    serialNumber: 'urn:uuid:3E671687-395B-41F5-A30F-A58921A69B79',
    version: 3,
    metadata: {
      timestamp: '2024-05-06T07:08:09+02:00',
      tools: {
        components: [{ type: 'application', name: 'syft', version: '1.2.0' }],
        services: [{ name: 'scan' }],
      },
      component: {
        'bom-ref': 'product',
        type: 'Application',
        name: ' Pump ',
        version: ' 2.0 ',
        purl: 'pkg:generic/pump@2.0',
        components: [library({ 'bom-ref': 'part', name: 'part' })],
      },
    },
    components: [
      {
        type: 'library',
        'bom-ref': 'lib',
        group: 'org.example',
        name: 'lib',
        version: '1.0',
        purl: 'pkg:maven/org.example/lib@1.0',
        cpe: 'cpe:2.3:a:example:lib:1.0:*:*:*:*:*:*:*',
        licenses: [{ license: { id: 'MIT' } }, { license: { name: 'Own licence' } }],
        supplier: { name: 'Example AS' },
        publisher: 'Someone else',
        hashes: [{ alg: 'SHA-256', content: 'AB'.repeat(32) }],
        components: [
          library({ 'bom-ref': 'inner', name: 'inner', components: [library({ name: 'innermost' })] }),
        ],
      },
      library({ name: 'last', licenses: [{ expression: 'MIT OR Apache-2.0' }], publisher: 'Publisher' }),
    ],
    services: [
      { 'bom-ref': 'service', name: 'service', services: [{ 'bom-ref': 'deep service', name: 'deep' }] },
    ],
    dependencies: [
      { ref: 'product', dependsOn: ['lib', 'part', 'lib'] },
      { ref: 'lib', dependsOn: ['service', 'deep service'] },
      { ref: 'service', dependsOn: ['lib'] },
      { ref: 'inner' },
    ],
    vulnerabilities: [{ id: 'CVE-2024-1', affects: [{ ref: 'lib' }] }, { analysis: { state: 'in_triage' } }],
  })

  it('the document', () => {
    expect(document).toMatchObject({
      format: 'cyclonedx',
      specVersion: '1.6',
      name: 'Pump',
      productVersion: '2.0',
      documentId: 'urn:cdx:3e671687-395b-41f5-a30f-a58921a69b79/3',
      createdAt: '2024-05-06T05:08:09.000Z',
      tools: ['syft 1.2.0', 'scan'],
      operatingSystem: null,
      vulnerabilityCount: 2,
    })
    expect(document.main).toMatchObject({
      ref: 'product',
      type: 'application',
      name: 'Pump',
      purl: 'pkg:generic/pump@2.0',
    })
  })

  it('every component in document order, the product left out', () => {
    expect(document.components.map(({ name }) => name)).toEqual(['part', 'lib', 'inner', 'innermost', 'last'])
  })

  it('the fields of a component', () => {
    expect(document.components[1]).toEqual({
      ref: 'lib',
      type: 'library',
      group: 'org.example',
      name: 'lib',
      version: '1.0',
      purl: 'pkg:maven/org.example/lib@1.0',
      otherPurls: [],
      cpe: 'cpe:2.3:a:example:lib:1.0:*:*:*:*:*:*:*',
      licence: 'MIT, Own licence',
      supplier: 'Example AS',
      origin: 'Someone else',
      hashes: [`sha256:${'ab'.repeat(32)}`],
      source: null,
    })
    expect(document.components[4]).toMatchObject({
      ref: null,
      licence: 'MIT OR Apache-2.0',
      supplier: 'Publisher',
    })
  })

  it('what contains and depends on what, between components only', () => {
    expect(document.dependencies).toEqual([
      { from: 'product', to: 'part' },
      { from: 'lib', to: 'inner' },
      { from: 'product', to: 'lib' },
    ])
  })

  it('as defects only what is missing', () => {
    expect(hintsOf(document)).toEqual({
      missing_version: '4 /metadata/component/components/0',
      missing_identifier: '4 /metadata/component/components/0',
      missing_licence: '3 /metadata/component/components/0',
      missing_supplier: '3 /metadata/component/components/0',
    })
  })
})

describe('an empty document', () => {
  const document = read({})
  it('is read with a hint', () => {
    expect(document).toMatchObject({
      name: null,
      productVersion: null,
      main: null,
      documentId: null,
      createdAt: null,
      tools: [],
    })
    expect(hintsOf(document)).toEqual({ no_components: '1' })
  })
  it('null counts as absent everywhere', () => {
    const nothing = Object.fromEntries(
      [
        'metadata',
        'components',
        'services',
        'dependencies',
        'vulnerabilities',
        'serialNumber',
        'version',
      ].map((key) => [key, null]),
    )
    expect(read(nothing)).toEqual(document)
    const bare = library()
    const nulls = [
      'bom-ref',
      'version',
      'group',
      'purl',
      'cpe',
      'licenses',
      'supplier',
      'hashes',
      'properties',
      'components',
    ]
    expect(
      read({ components: [{ ...bare, ...Object.fromEntries(nulls.map((key) => [key, null])) }] }),
    ).toEqual(read({ components: [bare] }))
  })
})

describe('structure that is read must be right', () => {
  it.each<[Fields, string]>([
    [{ metadata: [] }, '/metadata: expected an object, found an array'],
    [{ metadata: { component: 'x' } }, '/metadata/component: expected an object, found a string'],
    [
      { metadata: { component: { version: 1 } } },
      '/metadata/component/version: expected a string, found a number',
    ],
    [
      { metadata: { component: { components: {} } } },
      '/metadata/component/components: expected an array, found an object',
    ],
    [{ components: {} }, '/components: expected an array, found an object'],
    [{ components: [library(), null] }, '/components/1: expected an object, found null'],
    [{ components: [{ type: 'library' }] }, '/components/0/name: expected a string, found nothing'],
    [{ components: [{ name: 'a' }] }, '/components/0/type: expected a string, found nothing'],
    [{ components: [{ name: 1, type: 'library' }] }, '/components/0/name: expected a string, found a number'],
    [{ components: [{ name: 'a', type: null }] }, '/components/0/type: expected a string, found null'],
    [{ components: [{}] }, '/components/0/name: expected a string, found nothing'],
    [{ components: [library({ version: 1 })] }, '/components/0/version: expected a string, found a number'],
    [{ components: [library({ group: [] })] }, '/components/0/group: expected a string, found an array'],
    [{ components: [library({ purl: {} })] }, '/components/0/purl: expected a string, found an object'],
    [{ components: [library({ cpe: true })] }, '/components/0/cpe: expected a string, found a boolean'],
    [
      { components: [library({ components: 1 })] },
      '/components/0/components: expected an array, found a number',
    ],
    [
      { components: [library({ components: [library({ components: [{ name: 'a' }] })] })] },
      '/components/0/components/0/components/0/type: expected a string, found nothing',
    ],
    [{ components: [library({ 'bom-ref': 1 })] }, '/components/0/bom-ref: expected a string, found a number'],
    [
      { components: [library({ 'bom-ref': '' })] },
      '/components/0/bom-ref: expected a non-empty string, found an empty string',
    ],
    [
      { components: [library({ 'bom-ref': 'x' }), library({ 'bom-ref': 'x' })] },
      '/components/1/bom-ref: expected a unique bom-ref, found a duplicate',
    ],
    [
      { components: [library({ 'bom-ref': 'x', components: [library({ 'bom-ref': 'x' })] })] },
      '/components/0/components/0/bom-ref: expected a unique bom-ref, found a duplicate',
    ],
    [
      { components: [library({ 'bom-ref': 'x' })], services: [{ 'bom-ref': 'x' }] },
      '/services/0/bom-ref: expected a unique bom-ref, found a duplicate',
    ],
    [{ services: 'x' }, '/services: expected an array, found a string'],
    [{ services: [1] }, '/services/0: expected an object, found a number'],
    [
      { services: [{ 'bom-ref': '' }] },
      '/services/0/bom-ref: expected a non-empty string, found an empty string',
    ],
    [{ dependencies: {} }, '/dependencies: expected an array, found an object'],
    [{ dependencies: ['x'] }, '/dependencies/0: expected an object, found a string'],
    [{ dependencies: [{ dependsOn: [] }] }, '/dependencies/0/ref: expected a string, found nothing'],
    [
      { dependencies: [{ ref: '' }] },
      '/dependencies/0/ref: expected a non-empty string, found an empty string',
    ],
    [
      { dependencies: [{ ref: 'x', dependsOn: 'y' }] },
      '/dependencies/0/dependsOn: expected an array, found a string',
    ],
    [
      { dependencies: [{ ref: 'x', dependsOn: ['y', 1] }] },
      '/dependencies/0/dependsOn/1: expected a string, found a number',
    ],
    [{ vulnerabilities: {} }, '/vulnerabilities: expected an array, found an object'],
    [{ vulnerabilities: [1] }, '/vulnerabilities/0: expected an object, found a number'],
    [
      { vulnerabilities: [{ affects: {} }] },
      '/vulnerabilities/0/affects: expected an array, found an object',
    ],
    [
      { vulnerabilities: [{ affects: [{}] }] },
      '/vulnerabilities/0/affects/0/ref: expected a string, found nothing',
    ],
    [
      { vulnerabilities: [{ affects: [{ ref: 'x', versions: 1 }] }] },
      '/vulnerabilities/0/affects/0/versions: expected an array, found a number',
    ],
    [
      { vulnerabilities: [{ analysis: 'x' }] },
      '/vulnerabilities/0/analysis: expected an object, found a string',
    ],
    [
      { vulnerabilities: [{ analysis: { state: 'fine' } }] },
      '/vulnerabilities/0/analysis/state: expected a known state, found another word',
    ],
    [
      { vulnerabilities: [{ analysis: { state: 1 } }] },
      '/vulnerabilities/0/analysis/state: expected a string, found a number',
    ],
  ])('%j', (fields, detail) => {
    expect(refusalOf(() => read(fields))).toBe(`invalid_sbom ${detail}`)
  })
})

describe('everything else is a hint', () => {
  it.each<[string, Fields, Record<string, string>]>([
    ['an unknown type', { components: [library({ type: 'foo' })] }, { unknown_type: '1 /components/0' }],
    [
      'an unreadable purl',
      { components: [library({ purl: 'https://example.com' })] },
      { unreadable_purl: '1 /components/0' },
    ],
    [
      'an unreadable CPE',
      { components: [library({ cpe: 'example:lib' })] },
      { unreadable_cpe: '1 /components/0' },
    ],
    [
      'both forms of CPE are readable',
      { components: [library({ cpe: 'cpe:/a:x:y' }), library({ cpe: 'CPE:2.3:a:x:y' })] },
      {},
    ],
    [
      'an unknown hash',
      { components: [library({ hashes: [{ alg: 'FOO', content: 'ab' }] })] },
      { unreadable_hash: '1 /components/0/hashes/0' },
    ],
    [
      'a hash that is too short',
      { components: [library({ hashes: [{ alg: 'MD5', content: 'ab' }] })] },
      { unreadable_hash: '1 /components/0/hashes/0' },
    ],
    ['hashes of the wrong kind', { components: [library({ hashes: 'x' })] }, {}],
    [
      'a licence without a name',
      { components: [library({ licenses: [{ license: {} }, {}] })] },
      { unreadable_licence: '2 /components/0/licenses/0' },
    ],
    [
      'properties without a name',
      { components: [library({ properties: [{ value: 'x' }, {}] })] },
      { unreadable_property: '2 /components/0/properties/0' },
    ],
    [
      'a date without time',
      { metadata: { timestamp: '2020-04-13' }, components: [library()] },
      { unreadable_time: '1 /metadata/timestamp' },
    ],
    [
      'a time that does not exist',
      { metadata: { timestamp: '2020-13-13T00:00:00Z' }, components: [library()] },
      { unreadable_time: '1 /metadata/timestamp' },
    ],
    [
      'a serial number of another form',
      { serialNumber: 'urn:uuid:1', components: [library()] },
      { unreadable_serial_number: '1 /serialNumber' },
    ],
    [
      'the product repeated among its components',
      { metadata: { component: library({ 'bom-ref': 'x' }) }, components: [library({ 'bom-ref': 'x' })] },
      { product_among_components: '1 /components/0' },
    ],
    [
      'dangling dependencies',
      {
        components: [library({ 'bom-ref': 'x' })],
        dependencies: [{ ref: 'x', dependsOn: ['y', 'z'] }, { ref: 'y' }],
      },
      { dangling_dependency: '3 /dependencies/0/dependsOn' },
    ],
    [
      'repeated dependency entries',
      { components: [library({ 'bom-ref': 'x' })], dependencies: [{ ref: 'x' }, { ref: 'x' }] },
      { duplicate_dependency: '1 /dependencies/1' },
    ],
    [
      'one vulnerability entry for each component, as Dependency-Track writes it',
      { components: [library()], vulnerabilities: [{ 'bom-ref': 'v' }, { 'bom-ref': 'v' }] },
      { duplicate_vulnerability: '1 /vulnerabilities/1' },
    ],
  ])('%s', (_name, fields, expected) => {
    expect(defectsOf(read(fields))).toEqual(expected)
  })

  it('a component without letters in its name', () => {
    const document = read({ components: [library({ name: ' ' })] })
    expect(document.components[0]?.name).toBe('')
    expect(hintsOf(document)).toMatchObject({ missing_name: '1 /components/0' })
  })
})

describe('what is needed for development alone', () => {
  const scopeOf = (fields: Fields, name = 'cdx:npm:package:development', value = 'true') =>
    read({ components: [library({ ...fields, properties: [{ name, value }] })] }).components[0]?.scope

  it.each<[string, unknown, unknown]>([
    ['is excluded, as cyclonedx-npm marks it', scopeOf({}), 'excluded'],
    ['is excluded, as npm itself marks it', scopeOf({ scope: 'required' }), 'excluded'],
    ['keeps the scope that the document states for it', scopeOf({ scope: 'optional' }), 'optional'],
    ['is excluded, of Composer', scopeOf({}, 'cdx:composer:package:isDevRequirement'), 'excluded'],
    ['is excluded, of sbt', scopeOf({}, 'cdx:sbt:package:development'), 'excluded'],
    ['is said by the value', scopeOf({ scope: 'required' }, undefined, 'false'), 'required'],
    ['is said by no other property', scopeOf({}, 'cdx:npm:package:private'), undefined],
  ])('%s', (_rule, scope, expected) => {
    expect(scope).toBe(expected)
  })

  // Pipenv locks what both need under both categories; which other categories are delivered is the project's own affair
  it.each<[string[], unknown]>([
    [['develop'], 'excluded'],
    [['develop', 'develop'], 'excluded'],
    [['default'], undefined],
    [['default', 'develop'], undefined],
    [['develop', 'default'], undefined],
    [['develop', 'tests'], undefined],
    [['develop', ' '], 'excluded'],
  ])('is what Pipenv locks as %j', (categories, expected) => {
    const properties = categories.map((value) => ({ name: 'cdx:pipenv:category', value }))
    expect(read({ components: [library({ properties })] }).components[0]?.scope).toBe(expected)
  })
})
