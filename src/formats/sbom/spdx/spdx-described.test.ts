import { describe, expect, it } from 'vitest'
import { readSpdxOf as read, type Fields } from '../sample-documents.ts'

const pack = (id: string, fields: Fields = {}): Fields => ({ SPDXID: id, name: id, ...fields })
const relation = (element: string, type: string, related: string): Fields => ({
  spdxElementId: element,
  relationshipType: type,
  relatedSpdxElement: related,
})

describe('the described product', () => {
  const packages = [pack('a', { versionInfo: '1.0' }), pack('b', { versionInfo: '2.0' })]
  it.each<[string, Fields, string | null]>([
    ['listed', { documentDescribes: ['a'] }, '1.0'],
    ['related', { relationships: [relation('SPDXRef-DOCUMENT', 'DESCRIBES', 'b')] }, '2.0'],
    ["in Trivy's old spelling", { relationships: [relation('SPDXRef-DOCUMENT', 'DESCRIBE', 'b')] }, '2.0'],
    [
      'related the other way round',
      { relationships: [relation('b', 'DESCRIBED_BY', 'SPDXRef-DOCUMENT')] },
      '2.0',
    ],
    [
      'named twice',
      { documentDescribes: ['a'], relationships: [relation('SPDXRef-DOCUMENT', 'DESCRIBES', 'a')] },
      '1.0',
    ],
    ['with a file beside it', { documentDescribes: ['a', 'file'], files: [{ SPDXID: 'file' }] }, '1.0'],
    [
      'what a described file was generated from, as of cargo-sbom',
      { documentDescribes: ['file'], relationships: [relation('file', 'GENERATED_FROM', 'b')] },
      '2.0',
    ],
    [
      'what generates a described file',
      { documentDescribes: ['file'], relationships: [relation('b', 'GENERATES', 'file')] },
      '2.0',
    ],
    [
      'not what a described package was generated from',
      { documentDescribes: ['a'], relationships: [relation('a', 'GENERATED_FROM', 'b')] },
      '1.0',
    ],
    [
      'not when a file was generated from several',
      {
        documentDescribes: ['file'],
        relationships: [relation('file', 'GENERATED_FROM', 'a'), relation('file', 'GENERATED_FROM', 'b')],
      },
      null,
    ],
    ['not when it is several', { documentDescribes: ['a', 'b'] }, null],
    ['not when it is none', {}, null],
    [
      'not when it is the document',
      { relationships: [relation('SPDXRef-DOCUMENT', 'DESCRIBES', 'SPDXRef-DOCUMENT')] },
      null,
    ],
    ['not when another element describes it', { relationships: [relation('a', 'DESCRIBES', 'b')] }, null],
  ])('%s', (_name, fields, expected) => {
    expect(read({ packages, ...fields }).productVersion).toBe(expected)
  })

  it('of entries with its identifier the one that is named by most, if they agree', () => {
    const purl = { referenceType: 'purl', referenceLocator: 'pkg:maven/a/a@1.0' }
    const cpe = { referenceType: 'cpe22Type', referenceLocator: 'cpe:/a:a:a:1.0' }
    const entry = (fields: Fields) => pack('a', { versionInfo: '1.0', ...fields })
    const readWith = (second: Fields) =>
      read({
        packages: [entry({ externalRefs: [purl] }), pack('b'), entry(second)],
        documentDescribes: ['a'],
      })
    expect(readWith({ externalRefs: [cpe, purl] })).toMatchObject({
      productVersion: '1.0',
      main: { purl: 'pkg:maven/a/a@1.0', cpe: 'cpe:/a:a:a:1.0' },
    })
    expect(readWith({ versionInfo: '2.0' })).toMatchObject({ productVersion: null, main: null })
  })

  it('of a document that spells its own identifier otherwise', () => {
    const relationships = [relation('SPDXRef-DOCUMENT', 'DESCRIBES', 'a')]
    expect(read({ SPDXID: 'SPDXRef-Document', packages, relationships }).productVersion).toBe('1.0')
  })

  it('NOASSERTION is no version', () => {
    expect(
      read({ packages: [pack('a', { versionInfo: 'NOASSERTION' })], documentDescribes: ['a'] }),
    ).toMatchObject({
      productVersion: null,
      main: { version: null },
    })
  })

  it('without it the document gives the name', () => {
    expect(read({ packages, name: 'image' })).toMatchObject({ name: 'image', main: null })
  })
})
