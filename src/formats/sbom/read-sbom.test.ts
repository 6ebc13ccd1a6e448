import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../contract/errors.ts'
import type { SbomDocument } from './document.ts'
import { readSbom } from './read-sbom.ts'

const codes = ['invalid_json', 'xml_unsupported', 'unsupported_format', 'invalid_sbom', 'too_many_components']

function outcome(body: Uint8Array | string): SbomDocument | ServiceError {
  try {
    return readSbom(typeof body === 'string' ? Buffer.from(body) : body)
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}

const codeOf = (result: SbomDocument | ServiceError) =>
  result instanceof ServiceError ? result.code : 'read'

describe('bodies that are no document', () => {
  it.each([
    ['', 'invalid_json'],
    ['\ufeff', 'invalid_json'],
    ['{', 'invalid_json'],
    ['SPDXVersion: SPDX-2.3', 'invalid_json'],
    ['spdxVersion: SPDX-2.3\npackages: []', 'invalid_json'],
    ['<?xml version="1.0"?><bom/>', 'xml_unsupported'],
    ['\ufeff\n<bom/>', 'xml_unsupported'],
    ['[]', 'unsupported_format'],
    ['{"bomFormat":"CycloneDX","specVersion":"1.6","components":1}', 'invalid_sbom'],
    [`{"bomFormat":"CycloneDX","specVersion":"1.6","x":${'['.repeat(63)}${']'.repeat(63)}}`, 'read'],
    [`{"bomFormat":"CycloneDX","specVersion":"1.6","x":${'['.repeat(64)}${']'.repeat(64)}}`, 'invalid_sbom'],
    ['\ufeff{"bomFormat":"CycloneDX","specVersion":"1.6"}', 'read'],
  ])('%j', (body, expected) => {
    expect(codeOf(outcome(body))).toBe(expected)
  })
})

const cyclonedx = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  serialNumber: 'urn:uuid:3e671687-395b-41f5-a30f-a58921a69b79',
  version: 1,
  metadata: {
    timestamp: '2024-01-02T03:04:05Z',
    tools: [{ name: 'tool', version: '1' }],
    component: {
      'bom-ref': 'p',
      type: 'application',
      name: 'product',
      version: '1',
      components: [{ type: 'library', name: 'part' }],
    },
  },
  components: [
    {
      'bom-ref': 'a',
      type: 'library',
      name: 'a',
      version: '1',
      purl: 'pkg:npm/a@1',
      hashes: [{ alg: 'MD5', content: 'd41d8cd98f00b204e9800998ecf8427e' }],
      licenses: [{ license: { id: 'MIT' } }],
      properties: [{ name: 'aquasecurity:trivy:SrcName', value: 'b' }],
    },
    { 'bom-ref': 'os', type: 'operating-system', name: 'debian', version: '12' },
  ],
  services: [{ 'bom-ref': 's', name: 'service' }],
  dependencies: [{ ref: 'p', dependsOn: ['a', 's'] }],
  vulnerabilities: [{ id: 'CVE-1', affects: [{ ref: 'a', versions: [] }], analysis: { state: 'in_triage' } }],
}
const spdx = {
  spdxVersion: 'SPDX-2.3',
  SPDXID: 'SPDXRef-DOCUMENT',
  name: 'document',
  documentNamespace: 'https://example.com/1',
  creationInfo: { created: '2024-01-02T03:04:05Z', creators: ['Tool: tool-1'] },
  documentDescribes: ['a'],
  packages: [
    {
      SPDXID: 'a',
      name: 'a',
      versionInfo: '1',
      supplier: 'Organization: Example',
      checksums: [{ algorithm: 'SHA1', checksumValue: 'da39a3ee5e6b4b0d3255bfef95601890afd80709' }],
      externalRefs: [
        { referenceCategory: 'SECURITY', referenceType: 'purl', referenceLocator: 'pkg:npm/a@1' },
      ],
      sourceInfo: 'built package from: b 1',
    },
    { SPDXID: 'b', name: 'b', primaryPackagePurpose: 'OPERATING-SYSTEM' },
  ],
  files: [{ SPDXID: 'f' }],
  relationships: [{ spdxElementId: 'a', relationshipType: 'CONTAINS', relatedSpdxElement: 'b' }],
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
  if (Array.isArray(value))
    return value.flatMap((entry: unknown, index) => (String(index) === key ? [changed, changed] : [entry]))
  return { ...value, [key]: changed }
}

function expectSound(result: SbomDocument | ServiceError): void {
  if (result instanceof ServiceError) {
    expect(codes).toContain(result.code)
    return
  }
  const texts = JSON.stringify(result)
  expect(texts).not.toMatch(/\\u00[01][0-9a-f]|\\ud[89a-f]/)
  const refs = new Set([...result.components, ...(result.main ? [result.main] : [])].map(({ ref }) => ref))
  for (const { from, to } of result.dependencies) expect([refs.has(from), refs.has(to)]).toEqual([true, true])
}

describe('any document', () => {
  const values = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom<unknown>(
      '',
      null,
      0,
      [],
      {},
      '\u0000',
      '\ud800',
      '__proto__',
      'constructor',
      { __proto__: null },
      [[]],
      'a',
      'p',
    ),
  )
  const changes = fc.array(fc.tuple(fc.array(fc.nat(9), { maxLength: 6 }), values), {
    minLength: 1,
    maxLength: 4,
  })

  it.each([
    ['CycloneDX', cyclonedx],
    ['SPDX', spdx],
    ['SPDX in its first wrapper', { Document: { ...spdx, spdxVersion: 'SPDX-2.2' } }],
  ])('%s with changed values is read or refused with a code of the public interface', (_name, sample) => {
    expect(codeOf(outcome(JSON.stringify(sample)))).toBe('read')
    fc.assert(
      fc.property(changes, (list) => {
        const changed = list.reduce<unknown>(
          (value, [path, replacement]) => mutate(value, path, replacement),
          sample,
        )
        expectSound(outcome(JSON.stringify(changed)))
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    ['CycloneDX', cyclonedx],
    ['SPDX', spdx],
  ])('%s with changed bytes is read or refused with a code of the public interface', (_name, sample) => {
    const bytes = Buffer.from(JSON.stringify(sample))
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 5 }),
        (changed) => {
          const body = Uint8Array.from(bytes)
          for (const [at, byte] of changed) body[at] = byte
          expectSound(outcome(body))
        },
      ),
      { numRuns: 2_000 },
    )
  })
})

const samples = '../shared/data/sbom'
const without = existsSync(samples) ? '' : ' (skipped: no sample data beside the project)'

describe.skipIf(!existsSync(samples))(`public sample documents${without}`, () => {
  const filesOf = (folder: string) =>
    existsSync(samples) ? readdirSync(join(samples, folder)).map((file) => join(folder, file)) : []
  const bytesOf = (file: string) => readFileSync(join(samples, file))

  type RawComponent = { components?: RawComponent[] }
  type RawDocument = RawComponent & { metadata?: { component?: RawComponent }; packages?: unknown[] }
  const withParts = (component: RawComponent): number =>
    (component.components ?? []).reduce((sum, part) => sum + 1 + withParts(part), 0)
  const counted = (raw: RawDocument) =>
    raw.packages?.length ?? withParts(raw) + withParts(raw.metadata?.component ?? {})

  it.each(['cyclonedx', 'spdx', 'containers'].flatMap(filesOf))('%s has every component', (file) => {
    const document = readSbom(bytesOf(file))
    expect(document.components).toHaveLength(
      counted(JSON.parse(bytesOf(file).toString('utf8')) as RawDocument),
    )
    expect(document.components.length).toBeGreaterThan(0)
    expectSound(document)
  })

  it.each([
    ['example-spdx-3.0.json', 'unsupported_format', 'SPDX-3.0'],
    ['joc-cockpit-cyclonedx-1.3.json', 'unsupported_format', 'CycloneDX 1.3'],
    ['laravel.xml', 'xml_unsupported', undefined],
    ['maubot-licence-list.json', 'unsupported_format', 'a JSON object with "0BSD", "AAL", "ADSL", …'],
    ['powershell-tag-value.spdx', 'invalid_json', 'line 1, column 1: expected a value, found "S"'],
    ['scanoss-array.json', 'unsupported_format', 'a JSON array'],
  ])('%s is refused', (file, code, detail) => {
    expect(outcome(bytesOf(join('not-accepted', file)))).toMatchObject({ code, detail })
  })

  it.each([
    ['cyclonedx/juice-shop-nested-1.4.json', { productVersion: '14.1.1', name: 'juice-shop' }],
    ['spdx/powershell.spdx.json', { productVersion: '229170', name: 'Coordinated Packages' }],
    ['spdx/chronicle-sbom.spdx.json', { productVersion: null, tools: ['syft-0.26.0'] }],
    [
      'containers/spdx-trivy-bitnami_node-exporter.spdx.json',
      { operatingSystem: { name: 'debian', version: '11.6' } },
    ],
  ])('%s describes its product', (file, expected) => {
    expect(readSbom(bytesOf(file))).toMatchObject(expected)
  })

  it('the duplicate identifiers of one sample are counted', () => {
    expect(readSbom(bytesOf('spdx/chronicle-sbom.spdx.json')).hints).toContainEqual(
      expect.objectContaining({ code: 'duplicate_identifier', count: 312 }),
    )
  })

  it("Trivy's source packages are read", () => {
    const { components } = readSbom(bytesOf('containers/spdx-trivy-bitnami_node-exporter.spdx.json'))
    expect(components.filter(({ source }) => source !== null)).toHaveLength(99)
    expect(components.find(({ name }) => name === 'libgcc-s1')?.source).toEqual({
      name: 'gcc-10',
      version: '10.2.1-6',
      epoch: null,
    })
  })
})
