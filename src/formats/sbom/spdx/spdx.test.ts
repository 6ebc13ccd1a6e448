import { describe, expect, it } from 'vitest'
import { limits } from '../../../contract/limits.ts'
import { readSbom } from '../read-sbom.ts'
import { defectsOf, hintsOf, readSpdxOf as read, refusalOf, type Fields } from '../sample-documents.ts'

const pack = (id: string, fields: Fields = {}): Fields => ({ SPDXID: id, name: id, ...fields })
const relation = (element: string, type: string, related: string): Fields => ({
  spdxElementId: element,
  relationshipType: type,
  relatedSpdxElement: related,
})
describe('what is read', () => {
  const document = read({
    name: 'document',
    documentNamespace: 'https://example.com/spdx/1',
    creationInfo: {
      created: '2024-01-02T03:04:05Z',
      creators: ['Person: A', 'Tool: syft-1.2.0', 'Tool:trivy', 3],
    },
    documentDescribes: ['product'],
    packages: [
      pack('product', { name: 'Pump', versionInfo: ' 2.0 ', primaryPackagePurpose: 'APPLICATION' }),
      {
        SPDXID: 'lib',
        name: 'lib',
        versionInfo: '1.0',
        primaryPackagePurpose: 'LIBRARY',
        supplier: 'Organization: Example AS (a@example.com)',
        licenseConcluded: 'NOASSERTION',
        licenseDeclared: 'MIT',
        checksums: [{ algorithm: 'SHA3-256', checksumValue: 'AB'.repeat(32) }],
        externalRefs: [
          {
            referenceCategory: 'SECURITY',
            referenceType: 'cpe22Type',
            referenceLocator: 'cpe:/a:example:lib',
          },
          {
            referenceCategory: 'SECURITY',
            referenceType: 'cpe23Type',
            referenceLocator: 'cpe:2.3:a:first:lib',
          },
          {
            referenceCategory: 'SECURITY',
            referenceType: 'cpe23Type',
            referenceLocator: 'cpe:2.3:a:second:lib',
          },
          {
            referenceCategory: 'PACKAGE_MANAGER',
            referenceType: 'purl',
            referenceLocator: 'pkg:npm/lib@1.0',
          },
        ],
        sourceInfo: 'built package from: source-lib 1:1.0-3',
      },
    ],
    relationships: [relation('product', 'CONTAINS', 'lib')],
  })

  it('the document', () => {
    expect(document).toMatchObject({
      format: 'spdx',
      specVersion: '2.3',
      name: 'Pump',
      productVersion: '2.0',
      documentId: 'https://example.com/spdx/1',
      createdAt: '2024-01-02T03:04:05.000Z',
      tools: ['syft-1.2.0', 'trivy'],
      main: { ref: 'product', type: 'application' },
      dependencies: [{ from: 'product', to: 'lib' }],
      ownerships: [],
      vulnerabilityCount: 0,
    })
  })

  it('every package is a component, the described one too', () => {
    expect(document.components.map(({ name }) => name)).toEqual(['Pump', 'lib'])
  })

  it('the fields of a package', () => {
    expect(document.components[1]).toEqual({
      ref: 'lib',
      type: 'library',
      group: null,
      name: 'lib',
      version: '1.0',
      purl: 'pkg:npm/lib@1.0',
      otherPurls: [],
      otherCpes: ['cpe:2.3:a:second:lib', 'cpe:/a:example:lib'],
      cpe: 'cpe:2.3:a:first:lib',
      licence: 'MIT',
      supplier: 'Example AS (a@example.com)',
      hashes: [`sha3256:${'ab'.repeat(32)}`],
      source: { name: 'source-lib', version: '1.0-3', epoch: '1' },
    })
  })
})

describe('an empty document', () => {
  const document = read({})
  it('is read with a hint', () => {
    expect(document).toMatchObject({
      name: null,
      main: null,
      components: [],
      documentId: null,
      createdAt: null,
      tools: [],
    })
    expect(hintsOf(document)).toEqual({ no_components: '1' })
  })
  it('null counts as absent everywhere', () => {
    const keys = [
      'name',
      'packages',
      'relationships',
      'documentDescribes',
      'creationInfo',
      'documentNamespace',
      'files',
    ]
    expect(read(Object.fromEntries(keys.map((key) => [key, null])))).toEqual(document)
    const nulls = [
      'versionInfo',
      'externalRefs',
      'checksums',
      'supplier',
      'licenseConcluded',
      'sourceInfo',
      'hasFiles',
    ]
    expect(
      read({ packages: [{ ...pack('a'), ...Object.fromEntries(nulls.map((key) => [key, null])) }] }),
    ).toEqual(read({ packages: [pack('a')] }))
  })
})

describe('structure that is read must be right', () => {
  it.each<[Fields, string]>([
    [{ packages: {} }, '/packages: expected an array, found an object'],
    [{ packages: [pack('a'), 'b'] }, '/packages/1: expected an object, found a string'],
    [{ packages: [{ name: 'a' }] }, '/packages/0/SPDXID: expected a string, found nothing'],
    [{ packages: [{ SPDXID: 1, name: 'a' }] }, '/packages/0/SPDXID: expected a string, found a number'],
    [{ packages: [pack('a', { name: 1 })] }, '/packages/0/name: expected a string, found a number'],
    [
      { packages: [pack('a', { versionInfo: 1 })] },
      '/packages/0/versionInfo: expected a string, found a number',
    ],
    [
      { packages: [pack('a', { externalRefs: {} })] },
      '/packages/0/externalRefs: expected an array, found an object',
    ],
    [
      { packages: [pack('a', { externalRefs: [{ referenceType: 'purl', referenceLocator: 1 }] })] },
      '/packages/0/externalRefs/0/referenceLocator: expected a string, found a number',
    ],
    [{ relationships: {} }, '/relationships: expected an array, found an object'],
    [{ documentDescribes: 'a' }, '/documentDescribes: expected an array, found a string'],
  ])('%j', (fields, detail) => {
    expect(refusalOf(() => read(fields))).toBe(`invalid_sbom ${detail}`)
  })

  it('inside the first wrapper of SPDX 2.2 too', () => {
    const bytes = (packages: unknown) =>
      Buffer.from(JSON.stringify({ Document: { spdxVersion: 'SPDX-2.2', packages } }))
    expect(readSbom(bytes([pack('a')]))).toMatchObject({ specVersion: '2.2', components: [{ name: 'a' }] })
    expect(() => readSbom(bytes({}))).toThrow(
      expect.objectContaining({ detail: '/Document/packages: expected an array, found an object' }),
    )
  })
})

describe('everything else is a hint', () => {
  it.each<[string, Fields, Record<string, string>]>([
    [
      'a package without a name',
      { packages: [{ SPDXID: 'a' }, pack('b', { name: ' ' })] },
      { missing_name: '2 /packages/0' },
    ],
    [
      'repeated identifiers',
      { packages: [pack('a'), pack('a'), pack('a')] },
      { duplicate_identifier: '2 /packages/1/SPDXID' },
    ],
    [
      'an unknown purpose',
      { packages: [pack('a', { primaryPackagePurpose: 'TOY' })] },
      { unknown_type: '1 /packages/0' },
    ],
    [
      'relationships to nothing',
      {
        packages: [pack('a')],
        relationships: [relation('a', 'CONTAINS', 'b'), relation('c', 'DEPENDS_ON', 'a')],
      },
      { dangling_dependency: '2 /relationships/0' },
    ],
    [
      'relationships to files, other documents and nothing named',
      {
        packages: [pack('a')],
        files: [{ SPDXID: 'file' }],
        relationships: ['file', 'DocumentRef-x:SPDXRef-y', 'NOASSERTION', 'SPDXRef-DOCUMENT'].map((id) =>
          relation('a', 'CONTAINS', id),
        ),
      },
      {},
    ],
    [
      'relationships of another shape',
      { packages: [pack('a')], relationships: [1, {}, { spdxElementId: 'a' }] },
      {},
    ],
    [
      'references of another shape',
      { packages: [pack('a', { externalRefs: [1, {}, { referenceType: 1 }] })] },
      {},
    ],
    [
      'a time of another form',
      { packages: [pack('a')], creationInfo: { created: 'x' } },
      { unreadable_time: '1 /creationInfo/created' },
    ],
  ])('%s', (_name, fields, expected) => {
    expect(defectsOf(read(fields))).toEqual(expected)
  })

  it('a package without a name is called by its identifier', () => {
    expect(read({ packages: [{ SPDXID: 'SPDXRef-a' }] }).components[0]?.name).toBe('SPDXRef-a')
  })
})

describe('relationships', () => {
  const packages = [pack('a'), pack('b')]
  it.each([
    ['CONTAINS', 'a', 'b'],
    ['DEPENDS_ON', 'a', 'b'],
    ['DYNAMIC_LINK', 'a', 'b'],
    ['DEPENDENCY_OF', 'b', 'a'],
    ['CONTAINED_BY', 'b', 'a'],
    ['RUNTIME_DEPENDENCY_OF', 'b', 'a'],
  ])('%s', (type, from, to) => {
    expect(read({ packages, relationships: [relation('a', type, 'b')] }).dependencies).toEqual([{ from, to }])
  })

  it('nothing depends on itself', () => {
    expect(read({ packages, relationships: [relation('a', 'DEPENDS_ON', 'a')] }).dependencies).toEqual([])
  })

  it('say which package owns the files of another, as Syft writes it', () => {
    const other = (from: string, to: string, comment?: unknown) => ({
      ...relation(from, 'OTHER', to),
      comment,
    })
    const owns =
      'ownership-by-file-overlap: indicates that the parent package claims ownership of a child package'
    const document = read({
      packages,
      relationships: [
        other('a', 'b', owns),
        other('a', 'b', owns),
        other('b', 'b', owns),
        other('b', 'nowhere', owns),
        other('b', 'a', 'evident-by: a file'),
        other('b', 'a'),
        other('b', 'a', 1),
        { ...relation('b', 'CONTAINS', 'a'), comment: owns },
      ],
    })
    expect(document.ownerships).toEqual([{ from: 'a', to: 'b' }])
    expect(document.dependencies).toEqual([{ from: 'b', to: 'a' }])
  })

  it('others are no dependencies, and each is listed once', () => {
    const relationships = [
      relation('a', 'GENERATES', 'b'),
      relation('a', 'CONTAINS', 'b'),
      relation('b', 'CONTAINED_BY', 'a'),
    ]
    expect(read({ packages, relationships }).dependencies).toEqual([{ from: 'a', to: 'b' }])
  })
})

describe('the operating system', () => {
  it.each<[Fields, unknown]>([
    [
      pack('a', { name: 'debian', versionInfo: '12', primaryPackagePurpose: 'OPERATING-SYSTEM' }),
      { name: 'debian', version: '12' },
    ],
    [
      pack('a', { name: 'debian', primaryPackagePurpose: 'OPERATING_SYSTEM' }),
      { name: 'debian', version: null },
    ],
    [
      pack('SPDXRef-OperatingSystem-261a', { name: 'debian', versionInfo: '11.6' }),
      { name: 'debian', version: '11.6' },
    ],
    [pack('a', { name: 'debian', primaryPackagePurpose: 'LIBRARY' }), null],
  ])('%j', (fields, expected) => {
    expect(read({ packages: [fields] }).operatingSystem).toEqual(expected)
  })
})

describe('small print', () => {
  const only = (fields: Fields) => read({ packages: [pack('a', fields)] }).components[0]
  it.each<[string, Fields, Fields]>([
    ['concluded before declared', { licenseConcluded: 'MIT', licenseDeclared: 'X' }, { licence: 'MIT' }],
    ['NONE is no licence', { licenseConcluded: 'NONE', licenseDeclared: 'NONE' }, { licence: null }],
    ['NOASSERTION is no supplier', { supplier: 'NOASSERTION' }, { supplier: null }],
    ['a person as supplier', { supplier: 'Person: Jane Doe' }, { supplier: 'Jane Doe' }],
    [
      'reference types written as addresses',
      {
        externalRefs: [{ referenceType: 'http://spdx.org/rdf/references/purl', referenceLocator: 'pkg:a/b' }],
      },
      { purl: 'pkg:a/b' },
    ],
    [
      'reference types in other cases',
      {
        externalRefs: [
          { referenceType: 'PURL', referenceLocator: 'pkg:a/b' },
          { referenceType: 'cpe23type', referenceLocator: 'cpe:2.3:a:b:c' },
        ],
      },
      { purl: 'pkg:a/b', cpe: 'cpe:2.3:a:b:c' },
    ],
    [
      'CPE 2.2 alone',
      { externalRefs: [{ referenceType: 'cpe22Type', referenceLocator: 'cpe:/a:b' }] },
      { cpe: 'cpe:/a:b' },
    ],
    [
      'source without version',
      { sourceInfo: 'built package from: a' },
      { source: { name: 'a', version: null, epoch: null } },
    ],
    ['source told otherwise', { sourceInfo: 'acquired package info from DPKG DB' }, { source: null }],
    ['source without a name', { sourceInfo: 'built package from: ' }, { source: null }],
  ])('%s', (_name, fields, expected) => {
    expect(only(fields)).toMatchObject(expected)
  })

  it('more than 50 000 packages are refused before their structure is judged', () => {
    const packages = (count: number) => Array.from({ length: count }, () => pack('a'))
    expect(read({ packages: packages(limits.components) }).components).toHaveLength(limits.components)
    expect(
      refusalOf(() => read({ packages: Array.from({ length: limits.components + 1 }, () => ({})) })),
    ).toBe('too_many_components')
  })
})
