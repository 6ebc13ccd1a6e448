import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ServiceError } from '../../contract/errors.ts'
import { codeOf, expectSound, outcome } from '../../../test/support/read-outcome.ts'
import { readSbom } from './read-sbom.ts'

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
    [
      'powershell-tag-value.spdx',
      'invalid_json',
      'the body is an SPDX document as tag-value: send it as JSON',
    ],
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

describe('a document with a long list, which is read in parts', () => {
  const listed = (at: number) => ({
    'bom-ref': `${at}`,
    type: 'library',
    name: `n${at}`,
    purl: `pkg:npm/n${at}@1`,
    description: filler,
  })
  const packaged = (at: number) => ({
    SPDXID: `SPDXRef-${at}`,
    name: `n${at}`,
    versionInfo: '1',
    summary: filler,
  })
  const filler = 'x'.repeat(80)
  const many = <T>(entry: (at: number) => T) => Array.from({ length: 12_000 }, (_, at) => entry(at))
  const cyclonedx = (components: object[]) =>
    JSON.stringify({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      components,
      vulnerabilities: [{ id: 'CVE-1' }],
    })
  const spdx = (packages: object[]) =>
    JSON.stringify({ spdxVersion: 'SPDX-2.3', SPDXID: 'SPDXRef-DOCUMENT', name: 'd', packages })
  /** The scan does not see a list under a key that is written so, and JSON.parse sees no difference. */
  const whole = (text: string) =>
    text
      .replace('"components"', String.raw`"component\u0073"`)
      .replace('"packages"', String.raw`"package\u0073"`)

  it.each([
    ['CycloneDX', cyclonedx(many(listed))],
    ['SPDX', spdx(many(packaged))],
    ['CycloneDX with one that is refused', cyclonedx([...many(listed), { type: 'library' }])],
    ['SPDX with one that is refused', spdx([...many(packaged), { name: 7 }])],
  ])('%s', (_name, text) => {
    expect(text.length).toBeGreaterThan(1024 * 1024)
    expect(outcome(text)).toEqual(outcome(whole(text)))
  })

  it('names the place of a mistake as it lies in the document', () => {
    const refused = outcome(cyclonedx([...many(listed), { type: 'library' }]))
    expect(refused).toMatchObject({ code: 'invalid_sbom' })
    expect((refused as ServiceError).detail).toContain('/components/12000/name')
  })
})
