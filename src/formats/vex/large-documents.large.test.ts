import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { VexDocument } from '../../contract/vex/shapes.ts'
import { readReportedFindings } from './cyclonedx/cyclonedx.ts'
import { readVex } from './read-vex.ts'
import { csaf, cyclonedx, openvex, outcome } from './sample-documents.ts'

describe('the work grows no faster than the document', () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)
  const names = (count: number) => numbers(count).map(String)
  const status = { status: 'fixed', vulnerability: 'CVE-2024-1' }
  const product = (product_id: string) => ({ product_id })

  it.each<[name: string, documentOf: (size: number) => unknown]>([
    [
      'OpenVEX: products times subcomponents',
      (size) =>
        openvex({
          statements: [
            {
              ...status,
              products: names(size).map((id) => `pkg:npm/${id}`),
              subcomponents: names(size).map((id) => `pkg:deb/${id}`),
            },
          ],
        }),
    ],
    [
      'CSAF: a chain of relationships',
      (size) =>
        csaf({
          product_tree: {
            relationships: numbers(size).map((index) => ({
              full_product_name: product(`${index}`),
              product_reference: `${index + 1}`,
            })),
          },
          vulnerabilities: [{ cve: 'CVE-2024-1', product_status: { fixed: names(size) } }],
        }),
    ],
    [
      'CSAF: a product in every group, and every group in every vulnerability',
      (size) => {
        const groups = Math.round(Math.sqrt(size))
        return csaf({
          product_tree: {
            product_groups: names(groups).map((id) => ({ group_id: id, product_ids: names(groups) })),
          },
          vulnerabilities: numbers(groups / 10).map(() => ({
            cve: 'CVE-2024-1',
            product_status: { fixed: names(groups) },
            flags: [{ label: 'component_not_present', group_ids: names(groups).map((id) => `-${id}`) }],
          })),
        })
      },
    ],
    [
      'CycloneDX: one entry for every component',
      (size) =>
        cyclonedx({
          components: names(size).map((id) => ({ 'bom-ref': id, type: '', name: '', purl: `pkg:npm/${id}` })),
          vulnerabilities: [{ id: 'CVE-2024-1', affects: names(size).map((ref) => ({ ref })) }],
        }),
    ],
    [
      'CycloneDX: a long name that many entries show',
      (size) =>
        cyclonedx({
          components: [{ 'bom-ref': 'a', type: '', name: 'x'.repeat(size * 4) }],
          vulnerabilities: names(size / 4).map((id) => ({ id, affects: [{ ref: 'a' }] })),
        }),
    ],
    [
      'CSAF: a long name that many vulnerabilities show',
      (size) =>
        csaf({
          product_tree: { full_product_names: [{ product_id: 'a', name: 'x'.repeat(size * 4) }] },
          vulnerabilities: names(size / 4).map((cve) => ({ cve, product_status: { fixed: ['a'] } })),
        }),
    ],
    [
      'texts of one character after the other',
      (size) =>
        cyclonedx({
          vulnerabilities: [
            {
              id: ' '.repeat(size),
              recommendation: '\n '.repeat(size),
              affects: [{ ref: 'pkg:' + '/'.repeat(size) }, { ref: `urn:cdx:${'-'.repeat(size)}#` }],
            },
            {
              id: '\n'.repeat(size),
              updated: '1'.repeat(size),
              affects: [{ ref: `cpe:${':'.repeat(size)}` }],
            },
          ],
        }),
    ],
  ])('%s', (_name, documentOf) => {
    const elapsed = (size: number) => {
      const document = documentOf(size)
      const started = performance.now()
      expectRead(outcome(() => readVex(document)))
      return performance.now() - started
    }
    elapsed(2_000)
    const small = Math.max(...[1, 2, 3].map(() => elapsed(10_000)), 20)
    const large = Math.min(...[1, 2].map(() => elapsed(80_000)))
    // Eight times the size: quadratic work would take sixty-four times as long.
    expect(large / small).toBeLessThan(30)
  })

  function expectRead(result: VexDocument | ServiceError | null): void {
    const isOverBudget = result instanceof ServiceError && result.detail?.startsWith('more than ') === true
    const refusal = result instanceof ServiceError && !isOverBudget ? result.code : 'read'
    expect(['read', 'too_many_statements', 'no_statements']).toContain(refusal)
  }

  const productsOf = (count: number) => Array.from({ length: count }, () => 'pkg:npm/a')
  const openvexOf = (counts: number[]) =>
    openvex({ statements: counts.map((count) => ({ ...status, products: productsOf(count) })) })

  it('beside the first product of each statement 200 000 are read', () => {
    const read = readVex(openvexOf([150_001, 50_001, 1]))
    expect(read.statements.map(({ targets }) => targets.length)).toEqual([150_001, 50_001, 1])
    expect(outcome(() => readVex(openvexOf([150_001, 50_002, 1])))).toMatchObject({
      code: 'invalid_vex',
      detail: 'more than 200000 products beside the first of each statement',
    })
  })

  const manyCharacters = {
    code: 'invalid_vex',
    detail: 'more than 100000000 characters once each statement has what is said of its product',
  }
  const tree = (count: number) => ({
    full_product_names: names(count).map((id) => ({ product_id: id, name: id })),
    product_groups: [{ group_id: 'all', product_ids: names(count) }],
  })

  it.each([
    [
      'a remediation',
      { remediations: [{ category: 'vendor_fix', details: 'x'.repeat(4_000), group_ids: ['all'] }] },
    ],
    ['ids', { ids: names(100).map((id) => ({ text: `${'x'.repeat(180)}${id}` })) }],
  ])('%s that a document says of thousands of products cannot fill the store', (_name, said) => {
    const document = (count: number) =>
      csaf({
        product_tree: tree(count),
        vulnerabilities: [{ ...said, product_status: { fixed: names(count) } }],
      })
    expect(outcome(() => readVex(document(4_000)))).toMatchObject({ unbound: 4_000 })
    expect(outcome(() => readVex(document(30_000)))).toMatchObject(manyCharacters)
  })

  it('nor can a carrier that is named once', () => {
    const subcomponents = Array.from({ length: 60_000 }, (_, place) => ({ '@id': `pkg:npm/a${place}` }))
    const product = { '@id': `pkg:npm/${'x'.repeat(1_900)}`, subcomponents }
    expect(
      outcome(() => readVex(openvex({ statements: [{ ...status, products: [product] }] }))),
    ).toMatchObject(manyCharacters)
  })

  it('nor can a branch that is named once', () => {
    const product_status = { fixed: names(40_000) }
    const branches = names(40_000).map((id) => ({
      product: { product_id: id, name: 'a', product_identification_helper: { purl: 'pkg:npm/a' } },
    }))
    const range = { category: 'product_version_range', name: `vers:npm/${'9'.repeat(3_900)}`, branches }
    const vulnerabilities = [{ cve: 'CVE-2024-1', product_status }]
    expect(
      outcome(() => readVex(csaf({ product_tree: { branches: [range] }, vulnerabilities }))),
    ).toMatchObject(manyCharacters)
  })

  it('what an SBOM reports of too many products is cut, and the SBOM read', () => {
    const affects = Array.from({ length: 250_000 }, (_, place) => ({ ref: `pkg:npm/a@${place}` }))
    const document = {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      vulnerabilities: [{ id: 'CVE-2024-1', affects }],
    }
    const read = readReportedFindings(document)
    expect(read?.findings[0]?.targets).toHaveLength(200_001)
    expect(read?.hints.join()).toMatch(/too many products/)
  })

  it('one statement too many is refused, whatever the format', () => {
    const vulnerability = { cve: 'CVE-2024-1', product_status: { fixed: names(limits.statements + 1) } }
    expect(outcome(() => readVex(csaf({ vulnerabilities: [vulnerability] })))).toMatchObject({
      code: 'too_many_statements',
    })
    const statements = Array.from({ length: limits.statements + 1 }, () => status)
    expect(outcome(() => readVex(openvex({ statements })))).toMatchObject({ code: 'too_many_statements' })
  })
})
