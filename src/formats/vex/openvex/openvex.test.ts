import { describe, expect, it } from 'vitest'
import type { VexStatement } from '../../../contract/vex/shapes.ts'
import { readVex } from '../read-vex.ts'
import { openvex, refusalOf, type Fields } from '../sample-documents.ts'

const base = { vulnerability: { name: 'CVE-2024-1' }, products: [{ '@id': 'pkg:npm/a@1' }], status: 'fixed' }
const documentOf = (...statements: Fields[]) => openvex({ statements })
const read = (fields: Fields): VexStatement | undefined =>
  readVex(documentOf({ ...base, ...fields })).statements[0]
const hintsOf = (fields: Fields) => readVex(documentOf({ ...base, ...fields })).hints.join(' ')

describe('broken structure', () => {
  it.each<[name: string, statements: unknown, detail: string]>([
    ['no statements', undefined, '/statements: expected an array, found nothing'],
    ['statements are no array', {}, '/statements: expected an array, found an object'],
    ['a statement is no object', ['a'], '/statements/0: expected an object, found a string'],
    ['no status', [{ ...base, status: undefined }], '/statements/0/status: expected a string, found nothing'],
    [
      'an unknown status',
      [base, { ...base, status: 'wontfix' }],
      '/statements/1/status: expected one of affected, under_investigation, fixed, not_affected, found "wontfix"',
    ],
    [
      'no vulnerability',
      [{ ...base, vulnerability: undefined }],
      '/statements/0/vulnerability: expected a string or an object, found nothing',
    ],
    [
      'a vulnerability without a name',
      [{ ...base, vulnerability: { '@id': 'CVE-2024-1' } }],
      '/statements/0/vulnerability/name: expected a string, found nothing',
    ],
    [
      'products are no array',
      [{ ...base, products: 'pkg:npm/a' }],
      '/statements/0/products: expected an array, found a string',
    ],
    [
      'a product is a number',
      [{ ...base, products: ['pkg:npm/a', {}, 7] }],
      '/statements/0/products: expected an array of strings and objects, found one with a number',
    ],
    [
      'an id is a number',
      [{ ...base, products: [{ '@id': 7 }] }],
      '/statements/0/products/0/@id: expected a string, found a number',
    ],
    [
      'identifiers are no object',
      [{ ...base, products: [{ identifiers: [] }] }],
      '/statements/0/products/0/identifiers: expected an object, found an array',
    ],
    [
      'an identifier is a number',
      [{ ...base, products: [{ identifiers: { purl: 7 } }] }],
      '/statements/0/products/0/identifiers/purl: expected a string, found a number',
    ],
    [
      'a subcomponent is null',
      [{ ...base, products: [{ subcomponents: [null] }] }],
      '/statements/0/products/0/subcomponents: expected an array of strings and objects, found one with null',
    ],
    [
      'subcomponents of the statement are no array',
      [{ ...base, subcomponents: {} }],
      '/statements/0/subcomponents: expected an array, found an object',
    ],
  ])('%s', (_name, statements, detail) => {
    expect(refusalOf(openvex({ statements }))).toBe(`invalid_vex ${detail}`)
  })
})

describe('the vulnerability', () => {
  it.each<[unknown, string[]]>([
    ['cve-2024-12345', ['CVE-2024-12345']],
    [{ name: 'GHSA-abcd', aliases: ['CVE-2024-1', 7, 'GHSA-abcd'] }, ['GHSA-abcd', 'CVE-2024-1']],
    [
      { name: 'x', '@id': 'https://nvd.nist.gov/vuln/detail/CVE-2024-4242?view=full#top' },
      ['x', 'CVE-2024-4242'],
    ],
    [{ name: 'x', '@id': 'https://example.com/' }, ['x']],
    [{ name: 'x', '@id': 'RHSA-2020%3A1' }, ['x', 'RHSA-2020:1']],
  ])('%j', (vulnerability, ids) => {
    expect(read({ vulnerability })?.vulnerabilityIds).toEqual(ids)
  })

  it('that has no name counts, and is hinted at', () => {
    const { statements, hints } = readVex(documentOf({ ...base, vulnerability: ' ' }, base))
    expect(statements.map(({ vulnerabilityIds }) => vulnerabilityIds.length)).toEqual([0, 1])
    expect(hints).toEqual([
      'Entries that name no vulnerability: they count, but no finding can be theirs (/statements/0).',
    ])
  })
})

describe('what a statement binds to', () => {
  const carrier = { purl: 'pkg:oci/image@1' }
  const carriers = [carrier]
  it.each<[name: string, fields: Fields, expected: Partial<VexStatement>]>([
    [
      'each product, a string or an object',
      { products: ['pkg:npm/a', { '@id': 'cpe:/a:b:c' }, { identifiers: { purl: 'pkg:npm/d' } }] },
      {
        targets: [
          { kind: 'component', purl: 'pkg:npm/a' },
          { kind: 'component', cpe: 'cpe:/a:b:c' },
          { kind: 'component', purl: 'pkg:npm/d' },
        ],
        productLabel: 'pkg:npm/a',
      },
    ],
    [
      'ids with blanks around them',
      { products: [' pkg:npm/a ', { '@id': '\n cpe:/a:b:c' }] },
      {
        targets: [
          { kind: 'component', purl: 'pkg:npm/a' },
          { kind: 'component', cpe: 'cpe:/a:b:c' },
        ],
      },
    ],
    [
      'identifiers go before the id, CPE 2.3 before 2.2',
      {
        products: [
          {
            '@id': 'pkg:npm/a',
            identifiers: { purl: 'pkg:npm/b', cpe22: 'cpe:/a:b:c', cpe23: 'cpe:2.3:a:b:c:*' },
          },
        ],
      },
      { targets: [{ kind: 'component', purl: 'pkg:npm/b', cpe: 'cpe:2.3:a:b:c:*' }] },
    ],
    [
      'subcomponents, the product carries them',
      { products: [{ '@id': 'pkg:oci/image@1', subcomponents: ['pkg:apk/a', { '@id': 'pkg:apk/b' }] }] },
      {
        targets: [
          { kind: 'component', purl: 'pkg:apk/a', carriers },
          { kind: 'component', purl: 'pkg:apk/b', carriers },
        ],
        productLabel: 'pkg:oci/image@1',
      },
    ],
    [
      'subcomponents of the statement, as it was until 0.0.2',
      { products: ['pkg:oci/image@1', 'pkg:oci/image@2'], subcomponents: ['pkg:apk/a'] },
      {
        targets: [
          { kind: 'component', purl: 'pkg:apk/a', carriers },
          { kind: 'component', purl: 'pkg:apk/a', carriers: [{ purl: 'pkg:oci/image@2' }] },
        ],
      },
    ],
    [
      'an identifier that cannot be read',
      { products: [{ '@id': 'pkg:npm', subcomponents: ['pkg:npm/'] }] },
      { targets: [{ kind: 'component', purl: 'pkg:npm/' }], unboundReason: 'unreadable_identifier' },
    ],
    [
      'the product where no subcomponent names anything',
      { products: [{ '@id': 'pkg:oci/image@1', subcomponents: [{ '@id': 'https://example.com/x' }] }] },
      { targets: [{ kind: 'component', ...carrier }] },
    ],
    [
      'subcomponents of a carrier without identifiers',
      { products: [{ '@id': 'product', subcomponents: ['pkg:apk/a'] }] },
      { targets: [{ kind: 'component', purl: 'pkg:apk/a' }], productLabel: 'product' },
    ],
    [
      'nothing: ids that are no identifiers',
      { products: ['product', { '@id': 'https://example.com/product' }, {}] },
      { targets: [], unboundReason: 'no_identifier', productLabel: 'product' },
    ],
    ['nothing: no products', { products: undefined }, { targets: [], unboundReason: 'no_product' }],
  ])('%s', (_name, fields, expected) => {
    const statement = read(fields)
    expect(statement).toMatchObject(expected)
    expect(statement?.unboundReason).toBe(expected.unboundReason)
  })
})

describe('texts and times', () => {
  it('justification, impact and action are kept, control characters are not', () => {
    expect(
      read({
        status: 'not_affected',
        justification: 'component_not_present',
        impact_statement: ' not\u0000 built\r\nin ',
        action_statement: 'none',
        status_notes: 'notes',
        timestamp: '2024-05-06T07:08:09+02:00',
      }),
    ).toMatchObject({
      verdict: 'not_affected',
      justification: 'component_not_present',
      impact: 'not built in',
      action: 'none',
      time: '2024-05-06T05:08:09.000Z',
    })
  })

  it.each<[string, Fields, Partial<VexStatement>]>([
    ['the time of the document', {}, { time: '2024-01-02T03:04:05.000Z' }],
    ['a time that is none', { timestamp: 'today' }, { time: '2024-01-02T03:04:05.000Z' }],
    ['notes without an impact statement', { status_notes: 'notes' }, { impact: 'notes' }],
    ['an unknown justification', { justification: 'because' }, { rawJustification: 'because' }],
    ['a long text', { action_statement: 'x'.repeat(5_000) }, { action: 'x'.repeat(4_000) }],
    [
      'a long identifier',
      { products: [`pkg:npm/${'x'.repeat(3_000)}`] },
      { targets: [{ kind: 'component', purl: `pkg:npm/${'x'.repeat(1_992)}` }] },
    ],
  ])('%s', (_name, fields, expected) => {
    expect(read(fields)).toMatchObject(expected)
  })

  it.each<[string, Fields, RegExp | '']>([
    ['nothing to object to', {}, ''],
    ['no justification', { status: 'not_affected' }, /without a justification.*\(\/statements\/0\)/],
    ['no action', { status: 'affected' }, /without an action statement/],
    ['no product', { products: [] }, /without a product/],
    ['a time that is none', { timestamp: 7 }, /Times.*\(\/statements\/0\/timestamp\)/],
    ['an unknown justification', { justification: 'because' }, /Justifications that are none/],
    ['an unreadable purl', { products: ['pkg:npm'] }, /Package URLs that cannot be read \(\/statements\/0\)/],
    ['an unreadable CPE', { products: ['cpe:x'] }, /CPE names that cannot be read/],
  ])('hints: %s', (_name, fields, expected) => {
    if (expected === '') expect(hintsOf(fields)).toBe('')
    else expect(hintsOf(fields)).toMatch(expected)
  })
})
