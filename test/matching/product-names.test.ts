import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { matchSbom } from '../../src/findings/changes/match-sbom.ts'
import { refreshExploited } from '../../src/findings/changes/refresh-exploited.ts'
import { rematch } from '../../src/findings/changes/rematch.ts'
import { listFindings } from '../../src/findings/reads/list-findings.ts'
import { openIncidents } from '../../src/incidents/openings/open-incidents.ts'
import { countCoverage, selectCoverage } from '../../src/inventory/coverage/coverage.ts'
import { listComponents } from '../../src/inventory/components/list-components.ts'
import { importVulnerabilityData } from '../../src/vulndata/import.ts'
import { explainFinding } from '../../src/vulnerabilities/evidence/explain-finding.ts'
import { testNow } from '../support/clock.ts'
import { addExploited } from '../support/records.ts'
import { UploadScene } from '../support/upload-scene.ts'
import { folderOf, importDeps, zipOf, matchTaken } from '../vulndata/support.ts'
import { loadRecords } from './match-support.ts'
import { cycloneDx, spdx } from './one-component.ts'

/** Components without a CPE that no source covers, and CVE List records that name products in words only. */

let scene: UploadScene
type Named = { vendor: string; product: string; cpes?: string[] }

const cveRecord = (cveId: string, named: Named, lessThan: string) =>
  JSON.stringify({
    dataType: 'CVE_RECORD',
    dataVersion: '5.1',
    cveMetadata: { cveId, state: 'PUBLISHED', dateUpdated: '2025-04-03T20:53:22.977Z' },
    containers: {
      cna: {
        providerMetadata: { shortName: 'acme' },
        descriptions: [{ lang: 'en', value: 'It overflows.' }],
        affected: [
          { ...named, versions: [{ version: '0', lessThan, status: 'affected', versionType: 'custom' }] },
        ],
      },
    },
  })

const records: [cveId: string, named: Named, lessThan: string][] = [
  ['CVE-2025-7001', { vendor: 'OpenSSL', product: 'OpenSSL' }, '3.0.8'],
  ['CVE-2025-7002', { vendor: 'The curl project', product: 'curl' }, '8.6.0'],
  ['CVE-2025-7003', { vendor: 'Acme, Inc.', product: 'Pump Control' }, '2.0'],
  ['CVE-2025-7004', { vendor: 'Apache Software Foundation', product: 'Apache Tomcat' }, '9.0.2'],
  ['CVE-2025-7005', { vendor: 'Agent', product: 'Agent' }, '9.0'],
  ['CVE-2025-7006', { vendor: 'zlib', product: 'zlib' }, '1.2.12'],
  ['CVE-2025-7007', { vendor: 'Linux', product: 'Linux' }, '6.9'],
  ['CVE-2025-7008', { vendor: 'busybox', product: 'busybox', cpes: ['cpe:2.3:a:busybox:busybox'] }, '1.37'],
]

beforeAll(async () => {
  scene = await UploadScene.open()
  await load(...records)
  await addExploited(scene.database.db, { source: 'kev', cveId: 'CVE-2025-7001' })
  await addExploited(scene.database.db, { source: 'kev', cveId: 'CVE-2025-7008' })
  await refreshExploited(scene.database.db, testNow)
})
afterAll(() => scene.close())

/** As an import and its jobs do. */
async function load(...listed: typeof records): Promise<void> {
  const { db } = scene.database
  const files = listed.map(
    ([id, named, lessThan]) => [`cves/2025/7xxx/${id}.json`, cveRecord(id, named, lessThan)] as const,
  )
  const folder = folderOf({ 'cves.zip': zipOf(Object.fromEntries(files)) })
  await importVulnerabilityData(importDeps(db), { from: join(folder, 'cves.zip'), now: testNow })
  await matchTaken(db)
}

const findingsOf = async (key: { workspaceId: string; sbomId: string }) =>
  (await listFindings(scene.database.db, key)).rows

/** The findings of an SBOM with one component, as `ID grade`. */
async function found(document: object): Promise<string[]> {
  const rows = await findingsOf(await scene.matched(document))
  return rows.map(({ title, grade }) => `${title} ${grade}`).sort()
}

/** The state of the one component; counted coverage and a look at it must agree. */
async function stateOf(key: { workspaceId: string; sbomId: string }) {
  const { db } = scene.database
  expect(await countCoverage(db, key)).toEqual(await selectCoverage(db, key))
  const { rows } = await listComponents(db, { ...key, search: undefined, sort: 'name', cursor: undefined })
  return rows[0]?.decidability
}

const openssl = ['CVE-2025-7001 possible']
const pumps = ['CVE-2025-7003 possible']

describe('CycloneDX', () => {
  test.each<[what: string, component: Record<string, unknown>, expected: string[]]>([
    ['a generic purl', { purl: 'pkg:generic/openssl@3.0.7' }, openssl],
    ['a fixed version', { purl: 'pkg:generic/openssl@3.0.8' }, []],
    ['a recipe of Conan', { purl: 'pkg:conan/zlib@1.2.11' }, ['CVE-2025-7006 possible']],
    ['a port of vcpkg', { purl: 'pkg:vcpkg/curl@8.5.0' }, ['CVE-2025-7002 possible']],
    ['a recipe of Yocto', { purl: 'pkg:yocto/core/openssl@3.0.7-r0' }, openssl],
    ['a type that nobody knows', { purl: 'pkg:nobodys-type/openssl@3.0.7' }, openssl],
    ['a name and a version', { name: 'openssl', version: '3.0.7' }, openssl],
    ['a name with its vendor', { name: 'Apache Tomcat', version: '9.0.1' }, ['CVE-2025-7004 possible']],
    ['a vendor and a name', { name: 'Pump Control', version: '1.0', supplier: { name: 'Acme' } }, pumps],
    ['a publisher and a name', { name: 'pump-control', version: '1.0', publisher: 'ACME Ltd.' }, pumps],
    ['a group and a name', { group: 'acme', name: 'pump_control', version: '1.0' }, pumps],
    ['a namespace and a name', { purl: 'pkg:generic/acme/pump-control@1.0' }, pumps],
    ['the name alone of what a vendor makes', { name: 'Pump Control', version: '1.0' }, []],
    ['another vendor', { name: 'Pump Control', version: '1.0', supplier: { name: 'Apex' } }, []],
    [
      'a vendor beside the name of a project',
      { name: 'openssl', version: '3.0.7', supplier: { name: 'Apex' } },
      [],
    ],
    ['a part of the name', { name: 'openssl-client', version: '3.0.7' }, []],
    ['a word of the trade', { name: 'agent', version: '1.0' }, []],
    ['the kernel', { name: 'linux', version: '6.1' }, []],
    ['what the record names by CPE', { name: 'busybox', version: '1.36.1' }, []],
    ['no version', { purl: 'pkg:vcpkg/curl' }, []],
    ['a package of npm', { purl: 'pkg:npm/openssl@3.0.7' }, []],
    ['a package of PyPI', { name: 'openssl', purl: 'pkg:pypi/openssl@3.0.7' }, []],
    ['a package of Debian', { purl: 'pkg:deb/debian/openssl@3.0.7-1?distro=debian-12' }, []],
    ['a package of a distribution without data', { purl: 'pkg:rpm/centos/openssl@3.0.7-1.el9' }, []],
  ])('%s', async (_, component, expected) => {
    expect(await found(cycloneDx(component))).toEqual(expected)
  })
})

describe('SPDX', () => {
  const purl = (referenceLocator: string) => ({
    externalRefs: [{ referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator }],
  })
  test.each<[what: string, fields: Record<string, unknown>, expected: string[]]>([
    ['a generic purl', purl('pkg:generic/openssl@3.0.7'), openssl],
    ['a name and a version', { name: 'openssl', versionInfo: '3.0.7' }, openssl],
    [
      'its own supplier',
      { name: 'curl', versionInfo: '8.5.0', supplier: 'Organization: curl' },
      ['CVE-2025-7002 possible'],
    ],
    [
      'a supplier',
      { name: 'Pump Control', versionInfo: '1.0', supplier: 'Organization: Acme Inc (a@acme.example)' },
      pumps,
    ],
    ['another supplier', { name: 'Pump Control', versionInfo: '1.0', supplier: 'Organization: Apex' }, []],
    ['who says nothing', { name: 'openssl', versionInfo: '3.0.7', supplier: 'NOASSERTION' }, openssl],
    ['a package of npm', purl('pkg:npm/openssl@3.0.7'), []],
  ])('%s', async (_, fields, expected) => {
    expect(await found(spdx(fields))).toEqual(expected)
  })
})

test.each([
  [
    'openssl',
    { purl: 'pkg:generic/openssl@3.0.7' },
    'for the product (openssl), which say its vendor as well, are',
  ],
  [
    'acme:pump control',
    { name: 'Pump Control', version: '1.0', supplier: { name: 'Acme' } },
    'for the vendor (acme) and the product (pump control) are',
  ],
])('a finding says which words met: %s', async (_, component, words) => {
  const { db } = scene.database
  const key = await scene.matched(cycloneDx(component))
  const [finding] = await findingsOf(key)
  const { workspaceId } = key
  const detail = await explainFinding(db, { workspaceId, findingId: finding?.id ?? '', now: testNow })
  expect(detail.gradeReason).toContain(words)
  expect(detail.records[0]?.sentence).toContain(
    'matched by the words that the record has for the product, possible',
  )
})

test.each<[purl: string | undefined, state: string]>([
  ['pkg:generic/openssl@3.0.7', 'not_covered'],
  ['pkg:nobodys-type/openssl@3.0.7', 'not_covered'],
  [undefined, 'not_covered'],
  ['pkg:conan/openssl@3.0.7', 'not_covered'],
  ['pkg:github/openssl/openssl@3.0.7', 'not_covered'],
  ['pkg:generic/openssl@3.0.7?vcs_url=git%2Bhttps://github.com/openssl/openssl', 'not_covered'],
])('what %s is covered by does not change', async (purl, state) => {
  const key = await scene.matched(
    cycloneDx({ name: 'openssl', version: '3.0.7', ...(purl === undefined ? {} : { purl }) }),
  )
  expect((await findingsOf(key)).map(({ title }) => title)).toEqual(['CVE-2025-7001'])
  expect(await stateOf(key)).toBe(state)
  // nor when records of another kind arrive
  await load(['CVE-2025-7050', { vendor: 'OpenSSL', product: 'OpenSSL' }, '1.0'])
  expect(await stateOf(key)).toBe(state)
})

test('no incident is opened, although CISA lists it', async () => {
  const { db } = scene.database
  const { workspaceId, familyId } = scene.company
  const incidents = async () => {
    await openIncidents(db, { workspaceId, familyIds: [familyId] }, testNow)
    return db.selectFrom('incident').select('title').execute()
  }
  const key = await scene.matched(cycloneDx({ purl: 'pkg:generic/openssl@3.0.7' }))
  expect((await findingsOf(key)).map(({ exploitedBy }) => exploitedBy)).toEqual([['kev']])
  expect(await incidents()).toEqual([])
  // while a match by the record's CPE opens one
  await scene.matched(
    cycloneDx({ name: 'busybox', version: '1.36.1', cpe: 'cpe:2.3:a:busybox:busybox:1.36.1' }),
  )
  expect(await incidents()).toHaveLength(1)
})

test('a record that comes later finds what was uploaded, and working everything out again finds the same', async () => {
  const { db } = scene.database
  const key = await scene.matched(cycloneDx({ purl: 'pkg:generic/libexpat@2.4.1' }))
  expect(await findingsOf(key)).toEqual([])
  await load(['CVE-2025-7060', { vendor: 'libexpat project', product: 'libexpat' }, '2.5.0'])
  await matchSbom(db, { ...key, now: testNow })
  expect((await findingsOf(key)).map(({ title, grade }) => `${title} ${grade}`)).toEqual([
    'CVE-2025-7060 possible',
  ])
  expect((await rematch(db, { now: testNow })).matches).toMatchObject({ added: 0, removed: 0, changed: 0 })
})

test('a record of a registry decides for certain beside the words', async () => {
  await loadRecords(scene.database.db, {
    id: 'CONAN-2025-1',
    modified: '2025-06-01T00:00:00Z',
    aliases: ['CVE-2025-7006'],
    affected: [
      {
        package: { ecosystem: 'ConanCenter', name: 'zlib' },
        ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '1.2.12' }] }],
      },
    ],
  })
  expect(await found(cycloneDx({ purl: 'pkg:conan/zlib@1.2.10' }))).toEqual(['CVE-2025-7006 exact'])
})
