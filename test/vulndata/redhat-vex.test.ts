import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { decideFindings, getFinding } from '../../src/contract/findings/operations.ts'
import { listFindings } from '../../src/contract/sbom/operations.ts'
import { listSources } from '../../src/contract/sources/operations.ts'
import { getVulnerability } from '../../src/contract/vulnerabilities/operations.ts'
import type { VendorStatement } from '../../src/contract/vulnerabilities/vendor-words.ts'
import { importVulnerabilityData } from '../../src/vulndata/import.ts'
import { refreshSource } from '../../src/vulndata/refresh.ts'
import { sourceOf } from '../../src/vulndata/sources/all.ts'
import { loadRecords } from '../matching/match-support.ts'
import { AppSession } from '../support/app-session.ts'
import { later, testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { drain } from '../support/drain.ts'
import { call, startTestHttp, type TestHttp } from '../support/http.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { changesOf, pathOf, rhel9, samba, vexArchive, vexFile, type Said } from './red-hat-vex-files.ts'
import { importFile, folderOf, importDeps, record, serve, zipOf, type WebServer } from './support.ts'
import { readAs } from '../support/read-as.ts'
import { SbomReceipt } from '../../src/contract/sbom/shapes.ts'
import { textWith } from '../support/expected.ts'

/** Red Hat's statements on its packages, from its files to the finding: shown, and never applied. */

let database: TestDatabase
let http: TestHttp
let server: WebServer
let acme: TestWorkspace
let umbrella: TestWorkspace
let owner: AppSession
let stranger: AppSession
let minutes = 0

const cve = 'CVE-2025-0001'
const archive = 'csaf_vex_2025-03-02.tar.zst'

beforeAll(async () => {
  database = await createTestDatabase()
  http = await startTestHttp({ database, now: () => testNow })
  server = await serve()
  ;[acme, umbrella] = await createScene(database.db)
  owner = await AppSession.signIn(http.url, acme.members.owner)
  stranger = await AppSession.signIn(http.url, umbrella.members.owner)
})
beforeEach(() => {
  server.asked.length = 0
})
afterAll(async () => {
  server.close()
  await http.stop()
  await database.drop()
})

const files = [
  vexFile(cve, samba),
  vexFile('CVE-2025-0002', [{ status: 'under_investigation', product: rhel9, packaged: 'samba' }]),
]

function offer(released = files, deletions = ''): void {
  server.files.set('archive_latest.txt', `${archive}\n`)
  server.files.set(archive, vexArchive(files))
  server.files.set('changes.csv', changesOf(released))
  server.files.set('deletions.csv', deletions)
  for (const file of released) server.files.set(pathOf(file), JSON.stringify(file))
}

const upload = (of: TestWorkspace, ...purls: string[]) =>
  uploadComponents(
    of,
    purls.map((purl) => ({ purl })),
  )

async function uploadComponents(of: TestWorkspace, parts: Record<string, unknown>[]): Promise<string> {
  const components = parts.map((part, at) => ({ type: 'library', name: `part ${at}`, ...part }))
  const answer = await call(`${http.url}/api/v1/sboms`, {
    method: 'POST',
    token: of.families[0]?.upload ?? '',
    headers: {},
    body: JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', components }),
  })
  expect(answer.status).toBe(202)
  await drain(database.db, testNow)
  return readAs(SbomReceipt, answer.body).id
}

async function refresh(): Promise<void> {
  minutes += 60
  await refreshSource(importDeps(database.db, { 'redhat-vex': server.url }), {
    source: 'redhat-vex',
    now: later(minutes),
  })
  await drain(database.db, testNow)
}

const state = async () =>
  (await owner.call(listSources)).sources.find(({ name }) => name === 'redhat-vex') ?? { state: 'absent' }
const asked = () => server.asked.map((line) => line.replace('GET ', ''))
const told = (statements: readonly VendorStatement[]) =>
  statements.map(({ cve: of, product, packageName, status, justification, remedy, fixedIn, advisory }) =>
    [of, product, packageName, status, justification ?? remedy ?? fixedIn, advisory]
      .filter((part) => part !== null)
      .join(' | '),
  )

async function findingOf(sbom: string, session = owner) {
  const [row] = (await session.call(listFindings, { params: { sbom } })).rows
  return session.call(getFinding, { params: { finding: row?.id ?? '' } })
}

const libs = (build: string, distro: string) =>
  `pkg:rpm/redhat/samba-libs@${build}?arch=x86_64&upstream=samba-${build}.src.rpm&distro=${distro}`

const notice = (id: string, release: string, fixed: string) =>
  record(id, '-', {
    summary: 'Moderate: samba security update',
    upstream: [cve],
    affected: [
      {
        package: { ecosystem: `Red Hat:enterprise_linux:${release}::baseos`, name: 'samba-libs' },
        ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed }] }],
      },
    ],
  })

describe('what Red Hat says', () => {
  let sbom: string

  test('is not asked for before some component is a package of Red Hat', async () => {
    offer()
    await refresh()
    expect(server.asked).toEqual([])
    await loadRecords(
      database.db,
      notice('RHSA-2025:0001', '9', '4.18.6-1.el9'),
      notice('RHSA-2025:0009', '8', '4.17.5-9.el8'),
      record('GHSA-aaaa-bbbb-cccc', 'npm/samba-client', { aliases: [cve] }),
    )
    sbom = await upload(acme, libs('4.17.5-1.el9', 'rhel-9.3'))
    expect(await sourceOf('redhat-vex')?.isAwaited?.(database.db)).toBe(true)
  })

  test('is loaded from the archive of all files, and then from those that changed', async () => {
    await refresh()
    expect(asked()).toEqual(['archive_latest.txt', archive, 'changes.csv', 'deletions.csv'])
    expect(await state()).toMatchObject({ state: 'ok', records: 2, label: 'Red Hat VEX', brings: 'more' })
    server.asked.length = 0
    await refresh()
    expect(asked()).toEqual(['changes.csv', 'deletions.csv'])
    expect(await state()).toMatchObject({ state: 'ok', lastOutcome: 'unchanged', records: 2 })
  })

  test('is shown on the finding of its package, with the source that the component names', async () => {
    const finding = await findingOf(sbom)
    expect(finding).toMatchObject({
      title: cve,
      severity: 'medium',
      grade: 'exact',
      verdict: null,
      fixedIn: '4.18.6-1.el9',
    })
    expect(told(finding.vendorStatements)).toEqual([
      `${cve} | Red Hat Enterprise Linux BaseOS (v. 9) | samba | fixed | 4.18.6-1.el9 | RHSA-2025:0001`,
      `${cve} | Red Hat Enterprise Linux BaseOS (v. 9) | samba-libs | fixed | 4.18.6-1.el9 | RHSA-2025:0001`,
    ])
    expect(finding.vendorStatements[0]).toMatchObject({
      vendor: 'Red Hat',
      impact: 'Moderate',
      statedAt: '2025-03-01T10:00:00.000Z',
      address: `https://access.redhat.com/security/cve/${cve}`,
    })
    expect(finding.records.map(({ source }) => source)).toEqual(['osv:Red Hat'])
  })

  test('is shown to each workspace of its own packages alone, on the page of the CVE, too', async () => {
    const theirs = await upload(umbrella, libs('4.17.5-1.el8', 'rhel-8.9'))
    const wontFix = [`${cve} | Red Hat Enterprise Linux 8 | samba | known_affected | Will not fix`]
    expect(told((await findingOf(theirs, stranger)).vendorStatements)).toEqual(wontFix)
    const params = { vulnerability: cve }
    const page = await stranger.call(getVulnerability, { params })
    expect(told(page.vendorStatements)).toEqual(wontFix)
    expect(JSON.stringify(page)).not.toContain('RHVEX')
    expect(page.records.map(({ source }) => source)).not.toContain('redhat-vex')
    expect(told((await owner.call(getVulnerability, { params })).vendorStatements)).toHaveLength(2)
  })

  test.each<[tool: string, properties: Record<string, string>]>([
    ['Trivy', { 'aquasecurity:trivy:SrcName': 'samba', 'aquasecurity:trivy:SrcVersion': '4.17.5' }],
    ['Syft', { 'syft:metadata:sourceRpm': 'samba-4.17.5-1.el8.src.rpm' }],
  ])('is shown by the source that %s states beside the package URL', async (_, properties) => {
    const theirs = await uploadComponents(umbrella, [
      {
        purl: 'pkg:rpm/redhat/samba-libs@4.17.5-1.el8?arch=x86_64&distro=redhat-8.9',
        properties: Object.entries(properties).map(([name, value]) => ({ name, value })),
      },
    ])
    const finding = await findingOf(theirs, stranger)
    expect(finding.grade).toBe('exact')
    expect(told(finding.vendorStatements)).toEqual([
      `${cve} | Red Hat Enterprise Linux 8 | samba | known_affected | Will not fix`,
    ])
    const page = await stranger.call(getVulnerability, { params: { vulnerability: cve } })
    expect(told(page.vendorStatements)).toEqual(told(finding.vendorStatements))
  })

  test('leaves findings, verdicts and severities as they are, whatever it says', async () => {
    const before = await findingOf(sbom)
    await owner.call(decideFindings, {
      body: { findingIds: [before.id], verdict: 'affected', comment: 'we are', everyVersion: false },
    })
    const decided = await findingOf(sbom)
    const said = {
      status: 'known_not_affected',
      product: rhel9,
      packaged: 'samba',
      flag: 'component_not_present',
    } as const
    const file = vexFile(cve, [said], { released: '2025-04-01T10:00:00+00:00' })
    offer([file, ...files.slice(1)])
    await refresh()
    expect(asked()).toEqual(['changes.csv', 'deletions.csv', pathOf(file)])
    const after = await findingOf(sbom)
    expect(told(after.vendorStatements)).toEqual([
      `${cve} | Red Hat Enterprise Linux 9 | samba | known_not_affected | component_not_present`,
    ])
    expect({ ...after, vendorStatements: [] }).toEqual({ ...decided, vendorStatements: [] })
    expect(after.verdict).toMatchObject({ verdict: 'affected', source: 'decision' })
    expect(after.closedAt).toBeNull()
  })

  test('opens nothing where no other record does', async () => {
    const affected: Said = { status: 'known_affected', product: rhel9, packaged: 'bash' }
    const file = vexFile('CVE-2025-0003', [affected], { released: '2025-04-02T10:00:00+00:00' })
    offer([file, ...files.slice(1)])
    await refresh()
    expect(await state()).toMatchObject({ records: 3 })
    const own = await upload(umbrella, 'pkg:rpm/redhat/bash@5.1.8-6.el9?arch=x86_64&distro=rhel-9.3')
    expect((await stranger.call(listFindings, { params: { sbom: own } })).rows).toEqual([])
    expect(
      await stranger.refused(getVulnerability, { params: { vulnerability: 'CVE-2025-0003' } }),
    ).toMatchObject({
      status: 404,
    })
  })

  test.each<[what: string, path: string, content: string | Buffer | number]>([
    ['an HTML page with status 200', 'changes.csv', '<!doctype html><html></html>'],
    ['an error', 'changes.csv', 503],
    ['a list that leads elsewhere', 'changes.csv', '"../../secret.json","2025-05-01T00:00:00Z"'],
    ['a file that is cut off', '2025/cve-2025-0002.json', '{"document":{'],
    ['deep nesting', '2025/cve-2025-0002.json', '['.repeat(300_000)],
    ['another kind of JSON', '2025/cve-2025-0002.json', '{}'],
  ])('is kept where Red Hat answers with %s', async (_, path, content) => {
    offer([vexFile('CVE-2025-0002', [], { released: '2025-05-01T00:00:00+00:00' })])
    server.files.set(path, content)
    await refresh()
    expect(await state()).toMatchObject({ state: 'failing', records: 3 })
    expect((await findingOf(sbom)).vendorStatements).toHaveLength(1)
    offer(files.slice(1))
    await refresh()
    expect(await state()).toMatchObject({ state: 'ok', records: 3 })
  })

  test.each<[what: string, latest: string, content: Buffer]>([
    ['an archive that is cut off', archive, vexArchive(files).subarray(0, 300)],
    ['an archive of something else', archive, Buffer.from('<html></html>')],
    ['a name that is none', '../../etc/passwd', vexArchive(files)],
  ])('is kept when all is read again and there is %s', async (_, latest, content) => {
    await sourceOf('redhat-vex')?.readAgain?.(database.db)
    offer(files.slice(1))
    server.files.set('archive_latest.txt', latest)
    server.files.set(archive, content)
    await refresh()
    expect(await state()).toMatchObject({ state: 'failing', records: 3 })
  })

  test('is asked for once where the list of changes gives another time than the file has', async () => {
    const released = '2025-05-01T12:00:00+00:00'
    const files2 = ['CVE-2025-0005', 'CVE-2025-0006'].map((of) => vexFile(of, [], { released }))
    offer([...files.slice(1), ...files2])
    const [listed = ''] = files2.map(pathOf)
    server.files.set(
      'changes.csv',
      `"${listed}","2025-05-01T12:00:01+00:00"\n${changesOf([...files.slice(1), ...files2.slice(1)])}`,
    )
    await refresh()
    expect(asked()).toContain(listed)
    server.asked.length = 0
    await refresh()
    expect(asked()).toEqual(['changes.csv', 'deletions.csv'])
  })

  test('is not asked for where the list of changes still names a file that was deleted, unless it came back', async () => {
    const gone = vexFile('CVE-2025-0007', [], { released: '2025-05-02T00:00:00+00:00' })
    const back = vexFile('CVE-2025-0008', [], { released: '2025-05-04T00:00:00+00:00' })
    const deleted = '2025-05-03T00:00:00+00:00'
    const path = pathOf(gone)
    offer([...files.slice(1), gone, back], `"${path}","${deleted}"\n"${pathOf(back)}","${deleted}"\n`)
    server.files.delete(path)
    await refresh()
    expect(asked()).not.toContain(path)
    expect(asked()).toContain(pathOf(back))
    expect(await state()).toMatchObject({ state: 'ok', records: 6 })
  })

  test('goes when Red Hat deletes the file, also beside files that cannot be had: others load, and these are asked for again', async () => {
    const released = '2025-05-05T00:00:00+00:00'
    const [absent, there, failing, behind] = ['11', '12', '13', '14'].map((end, at) =>
      vexFile(`CVE-2025-00${end}`, [], { released: released.replace('00:00:00', `0${9 - at}:00:00`) }),
    )
    if (!absent || !there || !failing || !behind) throw new Error('expected four files')
    offer(
      [absent, there, failing, behind, ...files.slice(1)],
      `"2025/cve-2025-0001.json","2025-06-01T00:00:00+00:00"\n`,
    )
    server.files.delete(pathOf(absent))
    server.files.set(pathOf(failing), 503)
    await refresh()
    expect(asked().slice(2)).toEqual([absent, there, failing, behind].map(pathOf))
    expect((await findingOf(sbom)).vendorStatements).toEqual([])
    const first = await state()
    expect(first).toMatchObject({ state: 'failing', records: 7, lastError: textWith('and 1 more file') })

    server.asked.length = 0
    server.files.set(pathOf(failing), JSON.stringify(failing))
    await refresh()
    expect(asked().slice(2)).toEqual([absent, failing].map(pathOf))
    const second = await state()
    expect(second).toMatchObject({ state: 'failing', records: 8, lastError: textWith(pathOf(absent)) })
    expect(second).toMatchObject({ failingSince: 'failingSince' in first ? first.failingSince : '' })

    offer([absent, there, failing, behind, ...files.slice(1)])
    await refresh()
    // failed twice, so it is left alone for two hours
    expect(await state()).toMatchObject({ state: 'failing', records: 8 })
    await refresh()
    expect(await state()).toMatchObject({ state: 'ok', records: 9 })
  })

  test('is loaded beside hundreds of files that are not there and some that cannot be read, which are asked for ever more rarely', async () => {
    const listedAt = (number: number, end: string) =>
      vexFile(`CVE-2025-${number}`, [], { released: `2025-05-06T${end}+00:00` })
    const missing = Array.from({ length: 520 }, (_, at) => listedAt(2000 + at, '10:00:00'))
    const [broken, other, behind, last] = [3001, 3002, 3003, 3004].map((number) =>
      listedAt(number, '09:00:00'),
    )
    if (!broken || !other || !behind || !last) throw new Error('expected four files')
    const listed = [...missing, broken, other, behind, last]
    offer(listed)
    for (const file of missing) server.files.delete(pathOf(file))
    server.files.set(pathOf(broken), '{"document":{')
    server.files.set(pathOf(other), JSON.stringify(vexFile('CVE-2025-0002', [])))
    await refresh()
    expect(asked().slice(2).length).toBe(listed.length)
    const first = await state()
    expect(first).toMatchObject({ state: 'failing', records: 11, lastError: textWith('and 521 more files') })

    server.asked.length = 0
    await refresh()
    expect(asked().slice(2).length).toBe(100)
    expect(await state()).toMatchObject({ failingSince: 'failingSince' in first ? first.failingSince : '' })
    offer([listedAt(3001, '12:00:00'), behind, last])
    server.asked.length = 0
    await refresh()
    expect(asked().slice(2)).toEqual([pathOf(broken)])
    expect(await state()).toMatchObject({ state: 'ok', records: 12, lastError: null })
  })

  test.each([
    ['read by itself', 'CVE-2025-4001', ''],
    ['deleted', 'CVE-2025-4002', `"2025/cve-2025-4002.json","2025-06-01T00:00:00+00:00"\n`],
  ])('is whole once what could not be read of the archive is %s', async (_, of, deletions) => {
    await database.db.deleteFrom('data_source').where('name', '=', 'redhat-vex').execute()
    offer([vexFile(of, [])])
    server.files.set(archive, vexArchive([{ document: { tracking: { id: of } } }, ...files]))
    server.files.set(pathOf(vexFile(of, [])), '{')
    await refresh()
    expect(await state()).toMatchObject({ state: 'failing' })
    offer([vexFile(of, [])], deletions)
    await refresh()
    await refresh()
    expect(await state()).toMatchObject({ state: 'ok', lastError: null })
  })
})

describe('files of Red Hat by hand', () => {
  const inFolder = (file: Record<string, unknown>) => [pathOf(file), JSON.stringify(file)] as const
  const all = Object.fromEntries(files.map(inFolder))

  test.each<[what: string, name: string, content: string | Buffer]>([
    ['the archive', archive, vexArchive(files)],
    ['a zip file', 'vex.zip', zipOf(all)],
    ['lines', 'vex.ndjson', Object.values(all).join('\n')],
    ['one file', '2025/cve-2025-0001.json', all['2025/cve-2025-0001.json'] ?? ''],
  ])('as %s are recognised', async (_, name, content) => {
    expect(await importFile(database.db, [name, content])).toMatchObject({ source: 'redhat-vex' })
  })

  test('in a folder are recognised, too', async () => {
    const [report] = await importVulnerabilityData(importDeps(database.db), {
      from: folderOf(all),
      now: testNow,
    })
    expect(report).toMatchObject({ source: 'redhat-vex', records: 2 })
  })
})
