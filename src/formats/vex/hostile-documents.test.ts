import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '../../contract/limits.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { VexDocument, VexStatement } from '../../contract/vex.ts'
import { parseCpe } from '../cpe/cpe.ts'
import { parseJson } from '../json/parse.ts'
import { parsePurl } from '../purl/purl.ts'
import { readSbom } from '../sbom/read-sbom.ts'
import { readReportedFindings } from './cyclonedx/cyclonedx.ts'
import { readVex } from './read-vex.ts'
import { csaf, cyclonedx, openvex } from './sample-documents.ts'

const codes = ['invalid_json', 'unsupported_vex', 'invalid_vex', 'no_statements', 'too_many_statements']

const documents = {
  OpenVEX: openvex({
    statements: [
      {
        vulnerability: { '@id': 'https://example.com/CVE-2024-1', name: 'CVE-2024-1', aliases: ['GHSA-1'] },
        timestamp: '2024-01-02T03:04:05Z',
        products: [
          {
            '@id': 'pkg:oci/image@1',
            identifiers: { purl: 'pkg:oci/image@1', cpe23: 'cpe:2.3:a:b:c:*:*:*:*:*:*:*:*' },
            subcomponents: [{ '@id': 'pkg:npm/a@1' }, 'pkg:npm/b@1'],
          },
          'pkg:npm/c@1',
        ],
        subcomponents: ['pkg:npm/d@1'],
        status: 'not_affected',
        justification: 'component_not_present',
        impact_statement: 'impact',
        action_statement: 'action',
      },
    ],
  }),
  CSAF: csaf({
    product_tree: {
      branches: [
        {
          product: { name: 'a', product_id: 'a', product_identification_helper: { purl: 'pkg:npm/a@1' } },
          branches: [{ product: { product_id: 'b' } }],
        },
      ],
      full_product_names: [{ product_id: 'c', product_identification_helper: { cpe: 'cpe:/a:b:c' } }],
      relationships: [
        { full_product_name: { product_id: 'd' }, product_reference: 'c', relates_to_product_reference: 'b' },
        { full_product_name: { product_id: 'e' }, product_reference: 'd' },
      ],
      product_groups: [{ group_id: 'g', product_ids: ['a', 'b'] }],
    },
    vulnerabilities: [
      {
        cve: 'CVE-2024-1',
        ids: [{ text: 'x' }],
        product_status: { known_affected: ['a', 'e'], known_not_affected: ['b', 'd'], fixed: ['c'] },
        flags: [{ label: 'component_not_present', product_ids: ['b'], group_ids: ['g'] }],
        threats: [{ category: 'impact', details: 'impact', product_ids: ['d'] }],
        remediations: [{ category: 'vendor_fix', details: 'action', group_ids: ['g'] }],
      },
    ],
  }),
  CycloneDX: cyclonedx({
    serialNumber: 'urn:uuid:3e671687-395b-41f5-a30f-a58921a69b79',
    metadata: {
      timestamp: '2024-01-02T03:04:05Z',
      authors: [{ name: 'a' }],
      component: {
        'bom-ref': 'p',
        name: 'p',
        purl: 'pkg:npm/p@1',
        components: [{ type: 'library', name: 'q' }],
      },
    },
    components: [
      { 'bom-ref': 'a', type: 'library', name: 'a', purl: 'pkg:npm/a@1', components: [] },
      { 'bom-ref': 'b', type: 'library', name: 'b', cpe: 'cpe:/a:b:c' },
    ],
    services: [{ 'bom-ref': 's', name: 's' }],
    dependencies: [{ ref: 'p', dependsOn: ['a'] }],
    vulnerabilities: [
      {
        id: 'CVE-2024-1',
        references: [{ id: 'GHSA-1' }],
        affects: [{ ref: 'a', versions: [{ version: '1' }, { range: 'vers:npm/<2', status: 'unaffected' }] }],
        analysis: {
          state: 'in_triage',
          justification: 'code_not_present',
          response: ['update'],
          detail: 'x',
        },
        recommendation: 'action',
      },
      {
        'bom-ref': 'v',
        id: 'CVE-2024-2',
        affects: [
          { ref: 'urn:cdx:3e671687-395b-41f5-a30f-a58921a69b79/1#b' },
          { ref: 'p' },
          { ref: 'pkg:npm/x' },
        ],
      },
    ],
  }),
}

function outcome(read: () => VexDocument | null): VexDocument | ServiceError | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}

function expectSound(result: VexDocument | ServiceError | null): void {
  if (result instanceof ServiceError) {
    expect(codes).toContain(result.code)
    return
  }
  expect(JSON.stringify(result)).not.toMatch(/\\u00[01][0-9a-f]|\\ud[89a-f]/)
  if (result === null) return
  for (const statement of result.statements) expectConsistent(statement)
  for (const finding of result.findings) expect(finding).not.toHaveProperty('verdict')
  expect(result.unbound).toBe(result.statements.filter(({ unboundReason }) => unboundReason).length)
}

function expectConsistent({ verdict, targets, unboundReason }: VexStatement): void {
  const isBound = targets.some(
    ({ purl, cpe }) =>
      (purl !== undefined && parsePurl(purl) !== undefined) ||
      (cpe !== undefined && parseCpe(cpe) !== undefined),
  )
  expect(verdict).toBeDefined()
  expect(isBound).toBe(unboundReason === undefined)
}

/** Replaces, removes or repeats one value at a time, wherever `path` leads. */
function mutate(value: unknown, path: readonly number[], replacement: unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined || typeof value !== 'object' || value === null) return replacement
  const entries: [string, unknown][] = Object.entries(value)
  const chosen = entries[step % Math.max(entries.length, 1)]
  if (!chosen) return replacement
  const [key, inner] = chosen
  const changed = mutate(inner, rest, replacement)
  if (Array.isArray(value)) {
    return value.flatMap((entry: unknown, index) => (String(index) === key ? [changed, changed] : [entry]))
  }
  return { ...value, [key]: changed }
}

const values = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(
    undefined,
    null,
    '',
    0,
    [],
    {},
    [[]],
    [null],
    [{}],
    ['a'],
    '\u0000',
    '\ud800',
    '__proto__',
    'constructor',
    'a',
    'pkg:',
    'pkg:npm/%ff',
    'cpe:',
    'urn:cdx:3e671687-395b-41f5-a30f-a58921a69b79/1#%ff',
    '9999-99-99T99:99:99Z',
  ),
)
const changes = fc.array(fc.tuple(fc.array(fc.nat(9), { maxLength: 7 }), values), {
  minLength: 1,
  maxLength: 4,
})
const changed = (sample: unknown, list: [number[], unknown][]): unknown =>
  list.reduce<unknown>((value, [path, replacement]) => mutate(value, path, replacement), sample)

describe.each(Object.entries(documents))('%s', (name, sample) => {
  it('with changed values is read or refused with a code of the public interface', () => {
    expect(outcome(() => readVex(sample))).toHaveProperty('statements')
    fc.assert(
      fc.property(changes, (list) => expectSound(outcome(() => readVex(changed(sample, list))))),
      { numRuns: 3_000 },
    )
  })

  it('with changed bytes is read or refused with a code of the public interface', () => {
    const bytes = Buffer.from(JSON.stringify(sample))
    const edits = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(edits, (list) => {
        const body = Uint8Array.from(bytes)
        for (const [at, byte] of list) body[at] = byte
        expectSound(outcome(() => readVex(parseJson(body, 'vex'))))
      }),
      { numRuns: 1_000 },
    )
  })

  it('nested beyond all measure is refused', () => {
    let nested: unknown = {}
    for (let depth = 0; depth < 50_000; depth += 1) {
      nested = { components: [nested], branches: [nested], name: '', type: '', subcomponents: [nested] }
    }
    const tree = {
      product_tree: nested,
      components: [nested],
      statements: [{ status: 'fixed', products: [nested] }],
    }
    const result = outcome(() => readVex({ ...sample, ...tree }))
    if (name !== 'OpenVEX') expect(result).toMatchObject({ code: 'invalid_vex' })
  })
})

it('what is accepted as an SBOM has its findings read', () => {
  fc.assert(
    fc.property(changes, (list) => {
      const body = Buffer.from(JSON.stringify([changed(documents.CycloneDX, list)]).slice(1, -1))
      const sbom = outcome(() => (readSbom(body), null))
      fc.pre(!(sbom instanceof ServiceError))
      const found = outcome(() => readReportedFindings(JSON.parse(body.toString('utf8'))))
      expect(found).not.toBeInstanceOf(ServiceError)
      expectSound(found)
    }),
    { numRuns: 300 },
  )
})

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
  ])('%s that a document says of thousands of products is no way to fill the store', (_name, said) => {
    const document = (count: number) =>
      csaf({
        product_tree: tree(count),
        vulnerabilities: [{ ...said, product_status: { fixed: names(count) } }],
      })
    expect(outcome(() => readVex(document(4_000)))).toMatchObject({ unbound: 4_000 })
    expect(outcome(() => readVex(document(30_000)))).toMatchObject(manyCharacters)
  })

  it('nor is a carrier that is named once', () => {
    const subcomponents = Array.from({ length: 60_000 }, (_, place) => ({ '@id': `pkg:npm/a${place}` }))
    const product = { '@id': `pkg:npm/${'x'.repeat(1_900)}`, subcomponents }
    expect(
      outcome(() => readVex(openvex({ statements: [{ ...status, products: [product] }] }))),
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
