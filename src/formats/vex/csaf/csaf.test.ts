import { describe, expect, it } from 'vitest'
import type { VexStatement } from '../../../contract/vex/shapes.ts'
import { readVex } from '../read-vex.ts'
import { csaf, refusalOf, type Fields } from '../sample-documents.ts'

const product = (id: string, helper?: Fields) => ({
  name: `Name of ${id}`,
  product_id: id,
  ...(helper && { product_identification_helper: helper }),
})
const named = (...products: Fields[]) => ({ full_product_names: products })
const a = product('a', { purl: 'pkg:npm/a@1' })
const vulnerability = (fields: Fields = {}) => ({
  cve: 'CVE-2024-1',
  product_status: { fixed: ['a'] },
  ...fields,
})
const statementsOf = (product_tree: Fields, ...vulnerabilities: Fields[]): VexStatement[] =>
  readVex(csaf({ product_tree, vulnerabilities })).statements
const statementOf = (product_tree: Fields, fields: Fields = {}) =>
  statementsOf(product_tree, vulnerability(fields))[0]

describe('broken structure', () => {
  it.each<[fields: Fields, detail: string]>([
    [{ product_tree: [] }, '/product_tree: expected an object, found an array'],
    [{ product_tree: { branches: {} } }, '/product_tree/branches: expected an array, found an object'],
    [{ product_tree: { branches: [1] } }, '/product_tree/branches/0: expected an object, found a number'],
    [
      { product_tree: { branches: [{ branches: [{ product: 'a' }] }] } },
      '/product_tree/branches/0/branches/0/product: expected an object, found a string',
    ],
    [
      { product_tree: named({ name: 'a' }) },
      '/product_tree/full_product_names/0/product_id: expected a string, found nothing',
    ],
    [
      { product_tree: named({ product_id: 'a', product_identification_helper: 'pkg:npm/a' }) },
      '/product_tree/full_product_names/0/product_identification_helper: expected an object, found a string',
    ],
    [
      { product_tree: named(product('a', { purl: 1 })) },
      '/product_tree/full_product_names/0/product_identification_helper/purl: expected a string, found a number',
    ],
    [
      { product_tree: { relationships: 1 } },
      '/product_tree/relationships: expected an array, found a number',
    ],
    [
      { product_tree: { relationships: [{ full_product_name: {} }] } },
      '/product_tree/relationships/0/full_product_name/product_id: expected a string, found nothing',
    ],
    [{ vulnerabilities: {} }, '/vulnerabilities: expected an array, found an object'],
    [{ vulnerabilities: ['CVE'] }, '/vulnerabilities/0: expected an object, found a string'],
    [
      { vulnerabilities: [{ product_status: [] }] },
      '/vulnerabilities/0/product_status: expected an object, found an array',
    ],
    [
      { vulnerabilities: [vulnerability({ product_status: { fixed: 'a' } })] },
      '/vulnerabilities/0/product_status/fixed: expected an array, found a string',
    ],
    [
      { vulnerabilities: [vulnerability({ product_status: { fixed: ['a', 1] } })] },
      '/vulnerabilities/0/product_status/fixed/1: expected a string, found a number',
    ],
    [
      { vulnerabilities: [vulnerability({ flags: {} })] },
      '/vulnerabilities/0/flags: expected an array, found an object',
    ],
    [
      { vulnerabilities: [vulnerability({ threats: [1] })] },
      '/vulnerabilities/0/threats/0: expected an object, found a number',
    ],
    [
      { vulnerabilities: [vulnerability({ remediations: 'none' })] },
      '/vulnerabilities/0/remediations: expected an array, found a string',
    ],
  ])('%j', (fields, detail) => {
    expect(refusalOf(csaf(fields))).toBe(`invalid_vex ${detail}`)
  })
})

describe('one statement for each vulnerability, product and verdict', () => {
  it('a product in two lists of one class counts once', () => {
    const statements = statementsOf(
      named(a),
      vulnerability({
        product_status: {
          known_affected: ['a', 'a'],
          first_affected: ['a'],
          fixed: ['a'],
          recommended: ['a'],
        },
      }),
      vulnerability({ cve: 'CVE-2024-2' }),
      vulnerability({ product_status: undefined }),
    )
    expect(statements.map(({ pointer, verdict, rawStatus }) => [pointer, verdict, rawStatus])).toEqual([
      ['/vulnerabilities/0/product_status/known_affected/0', 'affected', 'known_affected'],
      ['/vulnerabilities/0/product_status/fixed/0', 'fixed', 'fixed'],
      ['/vulnerabilities/1/product_status/fixed/0', 'fixed', 'fixed'],
    ])
  })

  it.each<[Fields, string[]]>([
    [{ cve: 'cve-2024-9999', ids: [{ text: 'x' }] }, ['CVE-2024-9999']],
    [{ cve: undefined, ids: [{ text: 'GHSA-1' }, {}, { text: 'EUVD-1' }] }, ['GHSA-1', 'EUVD-1']],
  ])('the ids of %j', (fields, ids) => {
    expect(statementOf(named(a), fields)?.vulnerabilityIds).toEqual(ids)
  })

  it('the document tells id, author and time', () => {
    expect(readVex(csaf({ vulnerabilities: [vulnerability()] }))).toMatchObject({
      documentId: 'EX-1',
      author: 'Example',
      time: '2024-01-02T03:04:05.000Z',
      statements: [{ time: '2024-01-02T03:04:05.000Z' }],
    })
  })
})

describe('which product is bound', () => {
  const component = { kind: 'component', purl: 'pkg:npm/a@1' }
  const relationship = (id: string, reference: string, helper?: Fields) => ({
    category: 'default_component_of',
    full_product_name: product(id, helper),
    product_reference: reference,
    relates_to_product_reference: 'platform',
  })
  const platform = product('platform', { cpe: 'cpe:/o:example:os' })

  it.each<[name: string, tree: Fields, expected: object]>([
    ['a full product name', named(a), { targets: [component], productLabel: 'Name of a' }],
    [
      'a branch beside other branches',
      { branches: [{ product: product('x'), branches: [{ branches: [{ product: a }] }] }] },
      { targets: [component] },
    ],
    [
      'two definitions, merged',
      named(product('a'), a, product('a', { purl: 'pkg:npm/other', cpe: 'cpe:/a:b:c' })),
      { targets: [{ ...component, cpe: 'cpe:/a:b:c' }] },
    ],
    [
      'a relationship with a helper of its own',
      { ...named(platform), relationships: [relationship('a', 'c', { purl: 'pkg:npm/a@1' })] },
      { targets: [component] },
    ],
    [
      'the component of a relationship',
      { ...named(product('c', { purl: 'pkg:npm/a@1' }), platform), relationships: [relationship('a', 'c')] },
      { targets: [component] },
    ],
    [
      'the component of a chain of relationships',
      {
        ...named(product('c', { purl: 'pkg:npm/a@1' })),
        relationships: [relationship('a', 'b'), relationship('b', 'c')],
      },
      { targets: [component] },
    ],
    [
      'never the platform',
      { ...named(product('c'), platform), relationships: [relationship('a', 'c')] },
      { targets: [], unboundReason: 'no_identifier' },
    ],
    [
      'a circle of relationships',
      { relationships: [relationship('a', 'b'), relationship('b', 'a')] },
      { targets: [], unboundReason: 'no_identifier' },
    ],
    ['no identifiers', named(product('a')), { targets: [], unboundReason: 'no_identifier' }],
    ['no definition', {}, { targets: [], unboundReason: 'unknown_reference', productLabel: 'a' }],
    [
      'an id like a key of every object',
      named(product('__proto__')),
      { targets: [], unboundReason: 'unknown_reference' },
    ],
  ])('%s', (_name, tree, expected) => {
    expect(statementOf(tree)).toMatchObject(expected)
  })
})

describe('justification, impact and action', () => {
  const groups = { ...named(a), product_groups: [{ group_id: 'g', product_ids: ['a'] }] }
  const notAffected = { product_status: { known_not_affected: ['a'] } }
  const flag = (label: string, fields: Fields) => ({ label, ...fields })

  it.each<[name: string, fields: Fields, expected: Partial<VexStatement>]>([
    [
      'a flag on the product',
      { flags: [flag('component_not_present', { product_ids: ['a'] })] },
      { justification: 'component_not_present', rawJustification: 'component_not_present' },
    ],
    [
      'a flag on its group',
      { flags: [flag('component_not_present', { group_ids: ['g'] })] },
      { justification: 'component_not_present' },
    ],
    [
      'a label goes before an unknown word',
      {
        flags: [flag('other', { product_ids: ['a'] }), flag('component_not_present', { product_ids: ['a'] })],
      },
      { justification: 'component_not_present' },
    ],
    ['an unknown word', { flags: [flag('other', { product_ids: ['a'] })] }, { rawJustification: 'other' }],
    [
      'a threat of the category impact',
      {
        threats: [
          { category: 'exploit_status', details: 'no', product_ids: ['a'] },
          { category: 'impact', details: 'yes', group_ids: ['g'] },
        ],
      },
      { impact: 'yes' },
    ],
    [
      'an impact on all products, and one on this',
      {
        threats: [
          { category: 'impact', details: 'on all' },
          { category: 'impact', details: 'on a', product_ids: ['a'] },
        ],
      },
      { impact: 'on a' },
    ],
    [
      'an impact on all products',
      {
        threats: [
          { category: 'impact', details: 'on b', product_ids: ['b'] },
          { category: 'impact', details: 'on all', product_ids: [] },
        ],
      },
      { impact: 'on all' },
    ],
    [
      'the best remedy',
      {
        remediations: [
          { category: 'none_available', details: 'wait', product_ids: ['a'] },
          { category: 'vendor_fix', details: 'update', group_ids: ['g'] },
          { category: 'workaround', details: 'avoid', product_ids: ['a'] },
        ],
      },
      { action: 'update' },
    ],
    [
      'remarks on other products say nothing',
      {
        flags: [flag('component_not_present', { product_ids: ['b'] })],
        threats: [{ category: 'impact', details: 'x', group_ids: ['h'] }],
        remediations: [{ category: 'vendor_fix', details: 'x' }],
      },
      {},
    ],
  ])('%s', (_name, fields, expected) => {
    const { justification, rawJustification, impact, action } =
      statementOf(groups, { ...notAffected, ...fields }) ?? {}
    const found = { justification, rawJustification, impact, action }
    expect(found).toEqual({
      justification: undefined,
      impact: undefined,
      action: undefined,
      rawJustification: expected.justification,
      ...expected,
    })
  })

  it('of the groups of a product the first hundred count', () => {
    const group = (index: number) => ({ group_id: `g${index}`, product_ids: ['a'] })
    const product_groups = Array.from({ length: 101 }, (_, index) => group(index))
    const justificationBy = (group_id: string) =>
      statementOf(
        { ...named(a), product_groups },
        { ...notAffected, flags: [flag('component_not_present', { group_ids: [group_id] })] },
      )?.justification
    expect([justificationBy('g99'), justificationBy('g100')]).toEqual(['component_not_present', undefined])
  })

  it('what is missing is a hint', () => {
    const status = { known_not_affected: ['a'], known_affected: ['b'] }
    const document = csaf({
      product_tree: named(a, a),
      vulnerabilities: [vulnerability({ product_status: status })],
    })
    expect(readVex(document).hints).toEqual([
      'Product ids that are defined more than once (/product_tree/full_product_names/1).',
      'Not-affected products without a justification or an impact statement ' +
        '(/vulnerabilities/0/product_status/known_not_affected/0).',
      'Affected products without an action statement (/vulnerabilities/0/product_status/known_affected/0).',
      'References to products that the document does not define ' +
        '(/vulnerabilities/0/product_status/known_affected/0).',
    ])
  })
})
