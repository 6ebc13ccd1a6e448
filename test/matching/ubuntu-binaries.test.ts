import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { matchSbom } from '../../src/findings/changes/match-sbom.ts'
import { rematch } from '../../src/findings/changes/rematch.ts'
import { listFindings } from '../../src/findings/reads/list-findings.ts'
import { listComponents } from '../../src/inventory/components/list-components.ts'
import { explainFinding } from '../../src/vulnerabilities/evidence/explain-finding.ts'
import { UploadScene } from '../support/upload-scene.ts'
import { testNow } from '../support/clock.ts'
import { record, matchTaken } from '../vulndata/support.ts'
import { loadRecords } from './match-support.ts'

/** Ubuntu's records name the packages built from a source: a package without its source is looked up among them. */

let scene: UploadScene
let serial = 0

beforeAll(async () => {
  scene = await UploadScene.open()
})
afterAll(() => scene.close())
beforeEach(() => {
  serial += 1
})

type Facts = { binaries: object[]; release?: string; parts?: Record<string, unknown> }

/** On this test's source. */
function notice({ binaries, release = '24.04:LTS', parts = {} }: Facts): unknown {
  return record(`USN-${serial}-1`, '-', {
    affected: [
      {
        package: { ecosystem: `Ubuntu:${release}`, name: `source${serial}` },
        ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '1.0-0ubuntu2' }] }],
        ecosystem_specific: { binaries },
      },
    ],
    ...parts,
  })
}

const named = (name: string, version = '1.0-0ubuntu2') => ({ binary_name: name, binary_version: version })

/** As the jobs of an import do. */
async function load(...records: unknown[]): Promise<void> {
  const { db } = scene.database
  await loadRecords(db, ...records)
  await matchTaken(db)
}

type Key = { workspaceId: string; sbomId: string }

async function matched(key: Key): Promise<Key> {
  await matchSbom(scene.database.db, { ...key, now: testNow })
  return key
}

async function uploaded(...purls: string[]): Promise<Key> {
  const { id: sbomId } = await scene.uploaded(
    JSON.stringify({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      serialNumber: `urn:uuid:c0b7d854-e37b-41ba-90e1-0000000${40_000 + serial}`,
      components: purls.map((purl, at) => ({ type: 'library', name: `part${at}`, purl })),
    }),
  )
  return matched({ workspaceId: scene.company.workspaceId, sbomId })
}

const lib = (version = '1.0-0ubuntu1', release = '24.04') =>
  `pkg:deb/ubuntu/lib${serial}@${version}?arch=amd64&distro=ubuntu-${release}`

/** State of the first component, and the explanations of its findings. */
async function seen(key: Key): Promise<string[]> {
  const { db } = scene.database
  const query = { ...key, search: undefined, sort: 'name', cursor: undefined } as const
  const { rows } = await listComponents(db, query)
  const found = (await listFindings(db, key)).rows
  const details = found.map(({ id: findingId }) =>
    explainFinding(db, { workspaceId: key.workspaceId, findingId, now: testNow }),
  )
  const records = (await Promise.all(details)).flatMap((detail) => detail.records)
  const state = rows.find(({ name }) => name === 'part0')?.decidability ?? ''
  return [state, ...records.map(({ sentence }) => sentence)]
}

const finding = () =>
  `source${serial} 1.0-0ubuntu1 is inside 0 … < 1.0-0ubuntu2 of USN-${serial}-1, matched by the source package that the records of its distribution name, exact.`

test('a package without its source is looked up under the source that a record names', async () => {
  await load(notice({ binaries: [named(`source${serial}`), named(`lib${serial}`)] }))
  expect(await seen(await uploaded(lib()))).toEqual(['partly_loaded', finding()])
})

test('so it is when the record comes after the SBOM', async () => {
  const key = await uploaded(lib())
  expect(await seen(key)).toEqual(['source_unknown'])
  await load(notice({ binaries: [named(`lib${serial}`)] }))
  expect(await seen(await matched(key))).toEqual(['partly_loaded', finding()])
})

test('later records on the source count without naming the package', async () => {
  await load(notice({ binaries: [named(`lib${serial}`)] }))
  const key = await uploaded(lib())
  await load(notice({ binaries: [], parts: { id: `USN-${serial}-2`, modified: '2025-07-01T00:00:00Z' } }))
  expect((await seen(await matched(key))).length).toBe(3)
})

test('a withdrawn record takes its finding with it, not what it told of the package', async () => {
  await load(notice({ binaries: [named(`lib${serial}`)] }))
  const key = await uploaded(lib())
  const parts = { withdrawn: '2025-07-01T00:00:00Z', modified: '2025-07-01T00:00:00Z' }
  await load(notice({ binaries: [named(`lib${serial}`)], parts }))
  expect(await seen(await matched(key))).toEqual(['partly_loaded'])
})

test('the fixed version is not affected, and covered', async () => {
  await load(notice({ binaries: [named(`lib${serial}`)] }))
  expect(await seen(await uploaded(lib('1.0-0ubuntu2')))).toEqual(['partly_loaded'])
})

test('the older form, names with their versions', async () => {
  await load(notice({ binaries: [{ [`lib${serial}`]: '1.0-0ubuntu2', other: '1.0-0ubuntu2' }] }))
  expect(await seen(await uploaded(lib()))).toEqual(['partly_loaded', finding()])
})

test.each([
  ['another release', () => notice({ binaries: [named(`lib${serial}`)], release: '22.04:LTS' })],
  ['a version of its own', () => notice({ binaries: [named(`lib${serial}`, '1:7.0-0ubuntu2')] })],
  ['no binaries', () => notice({ binaries: [] })],
  ['what is none', () => notice({ binaries: [null, 7, [], {}, named('')] as object[] })],
])('%s tells nothing', async (_, told) => {
  await load(told())
  expect(await seen(await uploaded(lib()))).toEqual(['source_unknown'])
})

test('a stated source is not looked up', async () => {
  await load(notice({ binaries: [named(`lib${serial}`)] }))
  expect(await seen(await uploaded(`${lib()}&upstream=other`))).toEqual(['partly_loaded'])
})

test('so it is beside packages whose source is stated, before and after the record', async () => {
  const stated = `pkg:deb/ubuntu/other${serial}@1.0-0ubuntu1?distro=ubuntu-24.04&upstream=other`
  const key = await uploaded(lib(), stated)
  expect(await seen(key)).toEqual(['partly_loaded'])
  await load(notice({ binaries: [named(`lib${serial}`)] }))
  expect(await seen(await matched(key))).toEqual(['partly_loaded', finding()])
  expect(await seen(await uploaded(lib('1.0-0ubuntu1.1'), stated))).toHaveLength(2)
  expect(await seen(await uploaded(lib('1.0-0ubuntu2'), stated))).toEqual(['partly_loaded'])
})

const apart = (version: string) => `pkg:deb/ubuntu/lib${serial}@${version}?arch=amd64&distro=ubuntu-24.04`
const together = () => [named(`source${serial}`), named(`lib${serial}`, '1:7.0-0ubuntu2')]

test('a package that counts for itself is compared by its own fix', async () => {
  await load(notice({ binaries: together() }))
  expect(await seen(await uploaded(apart('1:7.0-0ubuntu1')))).toEqual([
    'partly_loaded',
    `lib${serial} of source${serial} 1:7.0-0ubuntu1 is inside 0 … < 1:7.0-0ubuntu2 of USN-${serial}-1, matched by the source package that the records of its distribution name, exact.`,
  ])
  expect(await seen(await uploaded(apart('1:7.0-0ubuntu2')))).toEqual(['partly_loaded'])
})

test('so it is beside packages whose source is stated, and when the record comes later', async () => {
  const stated = `pkg:deb/ubuntu/other${serial}@1.0-0ubuntu1?distro=ubuntu-24.04&upstream=other`
  const key = await uploaded(apart('1:7.0-0ubuntu1'), stated)
  await load(notice({ binaries: together() }))
  expect(await seen(await matched(key))).toHaveLength(2)
})

test('without a fix it is affected in every version', async () => {
  const open = record(`UBUNTU-CVE-2026-${serial}`, '-', {
    affected: [
      {
        package: { ecosystem: 'Ubuntu:24.04:LTS', name: `source${serial}` },
        ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }] }],
        versions: ['1.0-0ubuntu2'],
        ecosystem_specific: { binaries: together() },
      },
    ],
  })
  await load(open)
  expect(await seen(await uploaded(apart('1:7.0-0ubuntu9')))).toHaveLength(2)
})

test('a source of the same name is another package', async () => {
  await load(notice({ binaries: together() }))
  const source = `pkg:deb/ubuntu/other${serial}@1:6.0-0ubuntu1?distro=ubuntu-24.04&upstream=lib${serial}`
  expect(await seen(await uploaded(source))).toEqual(['partly_loaded'])
})

test('Pro and its own line of fixes', async () => {
  await load(notice({ binaries: [named(`lib${serial}`)], release: 'Pro:24.04:LTS' }))
  expect(await seen(await uploaded(lib('1.0-0ubuntu1')))).toEqual(['partly_loaded'])
})

test('matching everything again changes nothing', async () => {
  const { matches } = await rematch(scene.database.db, { now: testNow })
  expect(matches).toMatchObject({ added: 0, removed: 0, changed: 0 })
})
