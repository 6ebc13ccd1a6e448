import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../contract/errors.ts'
import type { VexDocument, VexStatement } from '../../contract/vex/shapes.ts'
import { parseCpe } from '../cpe.ts'
import { parseJson } from '../json/parse.ts'
import { parsePurl } from '../purl/purl.ts'
import { readSbom } from '../sbom/read-sbom.ts'
import { readReportedFindings } from './cyclonedx/cyclonedx.ts'
import { readVex } from './read-vex.ts'
import { csaf, cyclonedx, openvex, outcome } from './sample-documents.ts'

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
