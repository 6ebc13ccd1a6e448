import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SbomResult } from '../../src/contract/sbom/result.ts'
import { testNow } from '../support/clock.ts'
import { createFamilyToken } from '../support/company.ts'
import { drain } from '../support/drain.ts'
import { call } from '../support/http.ts'
import { UploadScene } from '../support/upload-scene.ts'
import { fixedIn, loadNvd, loadRecords } from './match-support.ts'
import { readAs } from '../support/read-as.ts'

/** A component with several CPEs, or with identities concluded by tools, matches by each of them. */

let scene: UploadScene

/** CVE-2025-1000 and up, in this order; all fixed in 2.0. */
const products = ['first', 'second', 'third', ...Array.from({ length: 30 }, (_, at) => `many${at}`)]
const cveOf = (product: string) => `CVE-2025-${1000 + products.indexOf(product)}`
const cpe = (product: string, version = '1.0', part = 'a') =>
  `cpe:2.3:${part}:acme:${product}:${version.includes(':') ? version : `${version}:*`}:*:*:*:*:*:*`
const uri = (product: string) => `cpe:/a:acme:${product}:1.0`

beforeAll(async () => {
  scene = await UploadScene.open()
  const { db } = scene.database
  await loadNvd(db, ...products.map((name) => ({ criteria: cpe(name, '*'), versionEndExcluding: '2.0' })))
  await loadRecords(
    db,
    fixedIn('GHSA-one', 'npm', 'one', '2.0.0'),
    fixedIn('GHSA-two', 'npm', 'two', '2.0.0'),
  )
})
afterAll(() => scene.close())

type Document = { tools?: string[]; version?: string }

const cyclonedx =
  (specVersion: string) =>
  (component: object, { tools = ['tool'], version = '1.0' }: Document = {}): object => ({
    bomFormat: 'CycloneDX',
    specVersion,
    metadata: { tools: tools.map((name) => ({ name, version: '1' })) },
    components: [{ type: 'application', name: 'x', version, ...component }],
  })

const spdx =
  (spdxVersion: string) =>
  (names: string[], { tools = ['tool'], version = '1.0' }: Document = {}): object => ({
    spdxVersion,
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: 'product',
    documentNamespace: `https://example.com/${scene.serial()}`,
    creationInfo: { created: '2026-01-01T00:00:00Z', creators: tools.map((name) => `Tool: ${name}-1`) },
    packages: [
      {
        SPDXID: 'SPDXRef-P',
        name: 'x',
        versionInfo: version,
        downloadLocation: 'NOASSERTION',
        externalRefs: names.map((referenceLocator) => ({
          referenceCategory: 'SECURITY',
          referenceType: typeOf(referenceLocator),
          referenceLocator,
        })),
      },
    ],
  })

function typeOf(name: string): string {
  if (name.startsWith('pkg:')) return 'purl'
  return name.startsWith('cpe:2.3:') ? 'cpe23Type' : 'cpe22Type'
}

/** The findings, and the number of covered components. */
async function answerTo(sbom: object): Promise<string[]> {
  const { id } = await scene.uploaded(JSON.stringify({ ...sbom, serialNumber: `urn:${scene.serial()}` }))
  await drain(scene.database.db, testNow)
  const { secret } = await createFamilyToken(scene.database.db, scene.company, { kind: 'results' })
  const { body } = await call(`${scene.http.url}/api/v1/sboms/${id}?worst=100`, { token: secret })
  const { worst = [] } = readAs(SbomResult, body)
  return worst.map((finding) => `${finding.id} ${finding.grade}`).sort()
}

const exact = (...names: string[]) => names.map((name) => `${cveOf(name)} exact`)
const possible = (...names: string[]) => names.map((name) => `${cveOf(name)} possible`)

describe.each(['SPDX-2.2', 'SPDX-2.3'])('%s', (version) => {
  const document = spdx(version)

  test.each([
    ['each CPE', [cpe('first'), cpe('second')], exact('first', 'second')],
    ['CPE 2.3 and 2.2', [uri('third'), cpe('first')], exact('first', 'third')],
    ['the same product twice', [cpe('first'), uri('first')], exact('first')],
    [
      'behind one that names no product',
      ['cpe:2.3:a:*:first:1.0:*:*:*:*:*:*:*', cpe('second')],
      exact('second'),
    ],
    ['behind one that cannot be read', ['cpe:2.3:q:a', cpe('second')], exact('second')],
    [
      'of two versions the one of the package',
      [cpe('first', '1.5'), cpe('second')],
      [...possible('first'), ...exact('second')],
    ],
    [
      'a version without update is the same',
      [cpe('first', '1.0:-'), cpe('second')],
      exact('first', 'second'),
    ],
    ['one without a version', [cpe('first'), cpe('second', '*')], [...exact('first'), ...possible('second')]],
    ['one that is fixed', [cpe('first', '2.0'), cpe('second', '1.0')], exact('second')],
    ['beside a purl that decides', ['pkg:npm/nothing@1.0.0', cpe('first'), cpe('second')], []],
    [
      'beside a purl that cannot',
      ['pkg:generic/x@1.0', cpe('first'), cpe('second')],
      exact('first', 'second'),
    ],
  ])('%s', async (_rule, names, found) => {
    expect(await answerTo(document(names))).toEqual(found)
  })

  test('two versions, and the package states neither', async () => {
    const names = [cpe('first', '1.5'), cpe('second', '1.0')]
    expect(await answerTo(document(names, { version: '1.2' }))).toEqual(possible('first', 'second'))
  })

  test('CPEs that a tool makes up are possible', async () => {
    const names = [cpe('first'), cpe('second')]
    expect(await answerTo(document(names, { tools: ['syft'] }))).toEqual(possible('first', 'second'))
  })

  test('21 of them, and no more', async () => {
    const names = products.slice(3).map((name) => cpe(name, '1.0', '*'))
    expect(await answerTo(document(names))).toHaveLength(21)
  })
})

describe.each(['1.4', '1.5', '1.6', '1.7'])('CycloneDX %s', (version) => {
  const document = cyclonedx(version)
  const offered = (...names: string[]) => ({
    properties: names.map((value) => ({ name: 'syft:cpe23', value })),
  })

  test('what Syft offers beside the CPE is possible, and its own as before', async () => {
    const component = { cpe: cpe('first'), ...offered(cpe('second'), cpe('third')) }
    expect(await answerTo(document(component))).toEqual([...exact('first'), ...possible('second', 'third')])
    expect(await answerTo(document(component, { tools: ['syft'] }))).toEqual(
      possible('first', 'second', 'third'),
    )
  })

  test('it counts where nothing else names the component, and not beside a package', async () => {
    expect(await answerTo(document(offered(cpe('second'))))).toEqual(possible('second'))
    expect(await answerTo(document({ purl: 'pkg:npm/nothing@1.0.0', ...offered(cpe('second')) }))).toEqual([])
  })
})

describe.each(['1.6', '1.7'])('what was concluded, CycloneDX %s', (version) => {
  const document = cyclonedx(version)
  const concluded = (...identity: object[]) => ({ evidence: { identity } })
  const purl = (name: string, confidence?: number) => ({
    field: 'purl',
    concludedValue: `pkg:npm/${name}@1.0.0`,
    ...(confidence === undefined ? {} : { confidence }),
  })

  test.each([
    ['a purl', concluded(purl('one')), ['GHSA-one exact']],
    ['several', concluded(purl('one'), purl('two', 0.9)), ['GHSA-one exact', 'GHSA-two exact']],
    [
      'beside the stated one',
      { purl: 'pkg:npm/one@1.0.0', ...concluded(purl('two', 1)) },
      ['GHSA-one exact', 'GHSA-two exact'],
    ],
    ['the same', { purl: 'pkg:npm/one@1.0.0', ...concluded(purl('one', 1)) }, ['GHSA-one exact']],
    ['hardly believed', { purl: 'pkg:npm/one@1.0.0', ...concluded(purl('two', 0.3)) }, ['GHSA-one exact']],
    ['hardly believed, and nothing else', concluded(purl('two', 0.3)), ['GHSA-two exact']],
    ['a path', concluded({ field: 'purl', concludedValue: '/app/package.json' }), []],
    ['a CPE', concluded({ field: 'cpe', concludedValue: cpe('first') }), possible('first')],
    ['a single one', { evidence: { identity: purl('one') } }, ['GHSA-one exact']],
    ['of another kind', { evidence: { identity: [7, 'x', { field: 'name', concludedValue: 'one' }] } }, []],
  ])('%s', async (_rule, component, found) => {
    expect(await answerTo(document(component))).toEqual(found)
  })
})
