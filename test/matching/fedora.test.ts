import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getFinding } from '../../src/contract/findings/operations.ts'
import { getSbom, listComponents, listFindings } from '../../src/contract/sbom/operations.ts'
import { listSources } from '../../src/contract/sources/operations.ts'
import { importVulnerabilityData } from '../../src/vulndata/import.ts'
import { refreshSource } from '../../src/vulndata/refresh.ts'
import { sourceOf } from '../../src/vulndata/sources/all.ts'
import { AppSession } from '../support/app-session.ts'
import { later, testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { drain } from '../support/drain.ts'
import { call, startTestHttp, type TestHttp } from '../support/http.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { bug, pageOf, startBodhi, update, type Bodhi } from '../vulndata/fedora-updates.ts'
import { folderOf, importDeps } from '../vulndata/support.ts'
import { readAs } from '../support/read-as.ts'
import { SbomReceipt } from '../../src/contract/sbom/shapes.ts'

/** Fedora packages, from upload to finding, by the updates Bodhi publishes. */

let database: TestDatabase
let http: TestHttp
let bodhi: Bodhi
let acme: TestWorkspace
let umbrella: TestWorkspace
let owner: AppSession
let stranger: AppSession
let serial = 0
let minutes = 0

beforeAll(async () => {
  database = await createTestDatabase()
  http = await startTestHttp({ database, now: () => testNow })
  bodhi = await startBodhi(2)
  ;[acme, umbrella] = await createScene(database.db)
  owner = await AppSession.signIn(http.url, acme.members.owner)
  stranger = await AppSession.signIn(http.url, umbrella.members.owner)
})
beforeEach(() => {
  bodhi.asked.length = 0
  bodhi.instead.clear()
})
afterAll(async () => {
  bodhi.close()
  await http.stop()
  await database.drop()
})

const updates = [
  update('FEDORA-2025-cccccccccc', 'kernel-6.8.5-301.fc40', {
    severity: 'urgent',
    bugs: [bug('CVE-2025-0003 kernel: a'), bug('CVE-2025-0004 kernel: b', 2_000_002)],
  }),
  update('FEDORA-EPEL-2025-dddddddddd', 'xz-5.4.7-1.el9', {
    release: { name: 'EPEL-9', version: '9', id_prefix: 'FEDORA-EPEL' },
  }),
  update('FEDORA-2025-bbbbbbbbbb', 'openssl-3.1.4-3.fc39', {
    severity: 'low',
    bugs: [bug('CVE-2025-0001 openssl: a [fedora-39]')],
    builds: [{ nvr: 'openssl-3.1.4-3.fc39', type: 'rpm', epoch: 1 }],
  }),
  update('FEDORA-2025-aaaaaaaaaa', 'openssl-3.2.1-3.fc40', {
    display_name: 'Update of openssl',
    severity: 'high',
    bugs: [bug('CVE-2025-0001 openssl: a [fedora-40]')],
    builds: [{ nvr: 'openssl-3.2.1-3.fc40', type: 'rpm', epoch: 1 }],
    date_pushed: '2025-03-01 01:00:00',
  }),
]

async function upload(
  of: TestWorkspace,
  purls: string[],
  { family = 0, more = {} }: { family?: number; more?: Record<string, unknown> } = {},
): Promise<string> {
  serial += 1
  const components = purls.map((purl, at) => ({ type: 'library', name: `part ${at}`, purl }))
  const body = JSON.stringify({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: serial,
    components,
    ...more,
  })
  const answer = await call(`${http.url}/api/v1/sboms`, {
    method: 'POST',
    token: of.families[family]?.upload ?? '',
    headers: {},
    body,
  })
  expect(answer.status).toBe(202)
  await drain(database.db, testNow)
  return readAs(SbomReceipt, answer.body).id
}

async function refresh(): Promise<void> {
  minutes += 60
  await refreshSource(importDeps(database.db, { fedora: bodhi.url }), {
    source: 'fedora',
    now: later(minutes),
  })
  await drain(database.db, testNow)
}

const pagesAsked = () => bodhi.asked.map((line) => /[?&]page=(\d+)/.exec(line)?.[1] ?? '').join(' ')
const isAwaited = () => sourceOf('fedora')?.isAwaited?.(database.db)
const state = async () =>
  (await owner.call(listSources)).sources.find(({ name }) => name === 'fedora') ?? { state: 'absent' }

async function found(sbom: string, session = owner): Promise<string[]> {
  const { rows } = await session.call(listFindings, { params: { sbom } })
  return rows.map(({ title, severity, grade, fixedIn }) => [title, severity, grade, fixedIn].join(' ')).sort()
}

const openssl = (build: string, more = '&distro=fedora-40') =>
  `pkg:rpm/fedora/openssl-libs@${build}?arch=x86_64&epoch=1&upstream=openssl-${build}.src.rpm${more}`

describe('updates of Fedora', () => {
  let sbom: string

  test('are not asked for before some component is of it', async () => {
    bodhi.updates = updates
    expect(await isAwaited()).toBe(false)
    await refresh()
    expect(bodhi.asked).toEqual([])
    expect(await state()).toMatchObject({ state: 'never', lastOutcome: 'unchanged' })
  })

  test('are awaited by the first component, which is not covered until all were read', async () => {
    // a new family, so that it stays the active one
    sbom = await upload(acme, [openssl('3.2.1-2.fc40')], { family: 1 })
    expect(await isAwaited()).toBe(true)
    expect((await owner.call(getSbom, { params: { sbom } })).coverage).toMatchObject({ dataNotLoaded: 1 })
    await refresh()
    expect(bodhi.asked[0]).toBe(
      '/updates/?status=stable&type=security&rows_per_page=100&page=1 application/json',
    )
    expect(pagesAsked()).toBe('1 2')
    expect(await state()).toMatchObject({ state: 'ok', records: 3, label: 'Fedora updates' })
    expect((await owner.call(getSbom, { params: { sbom } })).coverage).toMatchObject({ covered: 1 })
  })

  test('affect what was built before them in the same release, with the severity that Fedora gives them', async () => {
    expect(await found(sbom)).toEqual(['CVE-2025-0001 high exact 1:3.2.1-3.fc40'])
    const [row] = (await owner.call(listFindings, { params: { sbom } })).rows
    const detail = await owner.call(getFinding, { params: { finding: row?.id ?? '' } })
    expect(detail).toMatchObject({
      title: 'CVE-2025-0001',
      severitySource: 'FEDORA-2025-aaaaaaaaaa',
      identity: { ecosystem: 'Fedora', packageName: 'openssl', release: '40', sourcePackage: true },
      records: [
        {
          recordId: 'FEDORA-2025-aaaaaaaaaa',
          source: 'fedora',
          upstream: ['CVE-2025-0001'],
          references: [{ url: 'https://bugzilla.redhat.com/2000001' }],
          sentence:
            'openssl 1:3.2.1-2.fc40 is inside 0 … < 1:3.2.1-3.fc40 of FEDORA-2025-aaaaaaaaaa, matched by purl, exact.',
        },
      ],
    })
  })

  test.each<[what: string, purls: string[], expected: string[]]>([
    ['the build itself', [openssl('3.2.1-3.fc40')], []],
    ['a later build', [openssl('3.2.2-1.fc40')], []],
    [
      'a build of the release before',
      [openssl('3.1.4-2.fc39', '&distro=fedora-39')],
      ['CVE-2025-0001 low exact 1:3.1.4-3.fc39'],
    ],
    [
      'the release told by the build alone',
      [openssl('3.1.4-2.fc39', '')],
      ['CVE-2025-0001 low exact 1:3.1.4-3.fc39'],
    ],
    ['a release without such an update', [openssl('3.0.0-1.fc41', '&distro=fedora-41')], []],
    [
      'a notice of several CVEs',
      ['pkg:rpm/fedora/kernel-core@6.8.4-300.fc40?upstream=kernel-6.8.4-300.fc40.src.rpm'],
      ['FEDORA-2025-cccccccccc critical exact 6.8.5-301.fc40'],
    ],
    ['another distribution', ['pkg:rpm/centos/openssl@3.2.1-2.fc40?distro=centos-9'], []],
  ])('%s', async (_, purls, expected) => {
    expect(await found(await upload(acme, purls))).toEqual(expected)
  })

  test.each<[what: string, purl: string, more: Record<string, unknown>, decidability: string]>([
    [
      'by the operating system of the SBOM',
      'pkg:rpm/fedora/basesystem@11-20?upstream=basesystem-11-20.src.rpm',
      system('fedora', '40'),
      'covered',
    ],
    ['of no release', 'pkg:rpm/fedora/basesystem@11-20?distro=fedora', {}, 'release_unknown'],
    [
      'of a module',
      'pkg:rpm/fedora/nodejs@16.14.0-4.module_f36%2B13945%2B34ca1b4c?epoch=1&modularitylabel=nodejs:16:3620220302191425:b7bb4a4a',
      {},
      'uncomparable',
    ],
    [
      'by a source whose epoch is not told',
      'pkg:rpm/fedora/perl-Errno@1.37-506.fc40?upstream=perl-5.38.2-506.fc40.src.rpm',
      {},
      'uncomparable',
    ],
  ])('a package %s is %s', async (_, purl, more, decidability) => {
    // another package names its source: one that names none is then its own source
    const id = await upload(acme, [purl, openssl('3.9.9-1.fc40')], { more })
    const { rows } = await owner.call(listComponents, { params: { sbom: id } })
    expect(rows.find(({ name }) => name === 'part 0')?.decidability).toBe(decidability)
  })

  test('are the same for two workspaces, and neither sees the other', async () => {
    const theirs = await upload(umbrella, [openssl('3.2.1-2.fc40')])
    expect(await found(theirs, stranger)).toEqual(['CVE-2025-0001 high exact 1:3.2.1-3.fc40'])
    expect(await stranger.refused(listFindings, { params: { sbom } })).toMatchObject({ status: 404 })
  })

  test('are then asked for by what was pushed since, with two days over', async () => {
    await refresh()
    expect(bodhi.asked).toHaveLength(1)
    expect(bodhi.asked[0]).toContain(
      `&pushed_since=${later(-2 * 24 * 60 + 120)
        .toISOString()
        .slice(0, 10)}`,
    )
    expect(await state()).toMatchObject({ state: 'ok', lastOutcome: 'unchanged', records: 3 })
    bodhi.updates = [
      update('FEDORA-2099-eeeeeeeeee', 'openssl-3.2.1-4.fc40', {
        builds: [{ nvr: 'openssl-3.2.1-4.fc40', type: 'rpm', epoch: 1 }],
        bugs: [bug('CVE-2025-0009 openssl: c')],
        date_pushed: '2099-01-01 01:00:00',
      }),
      ...updates,
    ]
    await refresh()
    expect(await state()).toMatchObject({ state: 'ok', lastOutcome: 'new_data', records: 4 })
    expect(await found(sbom)).toEqual([
      'CVE-2025-0001 high exact 1:3.2.1-3.fc40',
      'CVE-2025-0009 medium exact 1:3.2.1-4.fc40',
    ])
  })

  test.each<[what: string, status: number, body: string]>([
    ['an HTML page with status 200', 200, '<!doctype html><html><body>Down</body></html>'],
    ['an error', 503, ''],
    ['JSON that is cut off', 200, pageOf(updates).slice(0, -200)],
    ['JSON of another kind', 200, '{"releases":[]}'],
    ['deep nesting', 200, '['.repeat(300_000)],
    ['an update without builds', 200, pageOf([update('FEDORA-2025-1', 'a-1-1.fc40', { builds: [] })])],
  ])('%s changes nothing', async (_, status, body) => {
    bodhi.instead.set(1, { status, body })
    await refresh()
    expect(await state()).toMatchObject({ state: 'failing', records: 4 })
    expect(await found(sbom)).toHaveLength(2)
    bodhi.instead.clear()
    await refresh()
    expect(await state()).toMatchObject({ state: 'ok', records: 4 })
  })

  test('are read on from where a turn was cut off', async () => {
    const many = Array.from({ length: 90 }, (_, at) =>
      update(`FEDORA-2024-${1000 + at}`, `part${at}-1.0-1.fc40`, { date_pushed: '2024-01-01 01:00:00' }),
    )
    await sourceOf('fedora')?.readAgain?.(database.db)
    bodhi.updates = [...bodhi.updates, ...many]
    bodhi.instead.set(43, { status: 502, body: '' })
    await refresh()
    // two steps of twenty pages, with two updates each, were imported
    expect(await state()).toMatchObject({ state: 'failing', records: 79 })
    bodhi.instead.clear()
    bodhi.asked.length = 0
    await refresh()
    expect(pagesAsked()).toBe('40 41 42 43 44 45 46 47 48')
    expect(await state()).toMatchObject({ state: 'ok', records: 94 })
    expect(bodhi.asked.join(' ')).not.toContain('pushed_since')
  })

  test('that are far fewer than before are not taken over when all are read again', async () => {
    await sourceOf('fedora')?.readAgain?.(database.db)
    bodhi.updates = updates.slice(0, 1)
    await refresh()
    expect(await state()).toMatchObject({ state: 'failing', records: 94 })
    expect(JSON.stringify(await state())).toContain('less than half')
    bodhi.updates = []
    await refresh()
    expect(JSON.stringify(await state())).toContain('found none')
    bodhi.updates = updates
  })
})

function system(name: string, version: string): Record<string, unknown> {
  const component = { type: 'operating-system', name, version }
  return { metadata: { component } }
}

describe('updates of Fedora by hand', () => {
  const load = (name: string, content: string, isComplete = false) => {
    const from = join(folderOf({}), name)
    writeFileSync(from, content)
    return importVulnerabilityData(importDeps(database.db), { from, isComplete, now: testNow })
  }
  const lines = updates.map((each) => JSON.stringify(each)).join('\n')

  test.each<[what: string, name: string, content: string, isComplete: boolean]>([
    ['lines', 'updates.ndjson', lines, false],
    ['lines, all there are', 'updates.ndjson', lines, true],
    ['an update', 'update.json', JSON.stringify(updates[3]), false],
    ['a page', 'page-1.json', pageOf(updates), false],
    ['a page, all there are', 'page-1.json', pageOf(updates), true],
  ])('as %s are recognised', async (_, name, content, isComplete) => {
    await database.db.deleteFrom('data_source').execute()
    const [report] = await load(name, content, isComplete)
    expect(report).toMatchObject({ source: 'fedora' })
    expect(await state()).toMatchObject({ state: isComplete ? 'ok' : 'partial', records: 94 })
  })

  test('in a folder are recognised, too', async () => {
    const from = folderOf(
      Object.fromEntries(updates.map((each) => [`${String(each['alias'])}.json`, JSON.stringify(each)])),
    )
    const [report] = await importVulnerabilityData(importDeps(database.db), { from, now: testNow })
    expect(report).toMatchObject({ source: 'fedora', records: 3 })
  })
})
