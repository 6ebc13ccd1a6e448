import { expect, it } from 'vitest'
import { judgeDocument } from './judge-document.ts'

const [first, second] = ['CSAFPID-1', 'CSAFPID-2']

/** A document with two vulnerabilities: the first says nothing but a status, so that the library leaves tests out. */
function documentWith(change: object, tree: object = {}) {
  const date = '2026-01-01T00:00:00.000Z'
  const version = (name: string, product_id: string) => ({
    category: 'product_version',
    name,
    product: { name: `Pump ${name}`, product_id },
  })
  return {
    document: {
      category: 'csaf_vex',
      csaf_version: '2.0',
      lang: 'en',
      publisher: {
        category: 'vendor',
        contact_details: 'x',
        name: 'Acme',
        namespace: 'https://acme.example',
      },
      title: 'Overflow',
      tracking: {
        current_release_date: date,
        id: 'ACME-1',
        initial_release_date: date,
        revision_history: [{ date, number: '1.0.0', summary: 'First.' }],
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
            { category: 'product_name', name: 'Pump', branches: [version('1', first), version('2', second)] },
          ],
        },
      ],
      ...tree,
    },
    vulnerabilities: [
      {
        cve: 'CVE-2026-1000',
        notes: [{ category: 'description', text: 'x' }],
        product_status: { under_investigation: [first] },
      },
      { cve: 'CVE-2026-1001', notes: [{ category: 'description', text: 'x' }], ...change },
    ],
  }
}

const cleared = { product_status: { known_not_affected: [first] } }
const impact = { threats: [{ category: 'impact', details: 'x', product_ids: [first] }] }
const absent = { label: 'component_not_present', product_ids: [first] }
const unreached = { label: 'vulnerable_code_not_in_execute_path' }

it('passes a document without mistakes', async () => {
  expect(await judgeDocument(documentWith({ ...cleared, flags: [absent] }))).toEqual([])
})

it.each([
  [
    '6.1.29: a remediation without a product',
    { ...cleared, ...impact, remediations: [{ category: 'mitigation', details: 'x' }] },
    {},
    'mandatoryTest_6_1_29',
  ],
  [
    '6.1.32: a flag without a product',
    { ...cleared, ...impact, flags: [unreached] },
    {},
    'mandatoryTest_6_1_32',
  ],
  [
    '6.1.33: two justifications of a product',
    { ...cleared, flags: [absent, { ...unreached, product_ids: [first] }] },
    {},
    'mandatoryTest_6_1_33',
  ],
  [
    '6.1.33: two justifications, one through a group with a summary',
    { ...cleared, flags: [absent, { ...unreached, group_ids: ['g'] }] },
    { product_groups: [{ group_id: 'g', product_ids: [first, second], summary: 'all' }] },
    'mandatoryTest_6_1_33',
  ],
])('finds %s, where the library does not', async (_what, change, tree, test) => {
  expect((await judgeDocument(documentWith(change, tree))).map((failed) => failed.test)).toEqual([test])
})

it.each([
  [
    'affected without a remediation',
    { product_status: { known_affected: [first] } },
    'mandatoryTest_6_1_27_10',
  ],
  ['not affected without a reason', cleared, 'mandatoryTest_6_1_27_9'],
  ['an unknown product', { product_status: { fixed: ['nobody'] } }, 'mandatoryTest_6_1_1'],
  [
    'a product in two lists',
    { product_status: { fixed: [first], under_investigation: [first] } },
    'mandatoryTest_6_1_6',
  ],
  [
    'the same CVE twice',
    { cve: 'CVE-2026-1000', product_status: { fixed: [first] } },
    'mandatoryTest_6_1_23',
  ],
  ['no status', {}, 'mandatoryTest_6_1_27_7'],
])('finds %s', async (_what, change, test) => {
  expect((await judgeDocument(documentWith(change))).map((failed) => failed.test)).toContain(test)
})

it.each([null, [], 'x', {}, { vulnerabilities: [null] }])(
  'finds mistakes in something that is not a document: %j',
  async (document) => {
    expect((await judgeDocument(document)).length).toBeGreaterThan(0)
  },
)
