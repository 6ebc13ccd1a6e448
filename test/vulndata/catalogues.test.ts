import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { refreshSource } from '../../src/vulndata/refresh.ts'
import { listSources } from '../../src/vulndata/source-states.ts'
import { testNow } from '../support/clock.ts'
import { serveFiles } from './feed-scene.ts'
import { importFile, importDeps, takeJobs, zipOf } from './support.ts'

const kevSample = resolve('../shared/data/kev/known_exploited_vulnerabilities.json')
const later = new Date('2026-01-02T00:00:00Z')

const scene = serveFiles()

type KevEntry = Record<string, unknown>
const kevEntry = (cveID: string, more: KevEntry = {}): KevEntry => ({
  cveID,
  vendorProject: 'Acme',
  product: 'Pump',
  vulnerabilityName: `Acme Pump ${cveID}`,
  dateAdded: '2025-03-01',
  knownRansomwareCampaignUse: 'Unknown',
  ...more,
})
const kevFile = (entries: KevEntry[], more: Record<string, unknown> = {}) =>
  JSON.stringify({
    title: 'KEV',
    catalogVersion: '2025.08.25',
    count: entries.length,
    vulnerabilities: entries,
    ...more,
  })
const cves = (count: number) =>
  Array.from({ length: count }, (_, index) => kevEntry(`CVE-2025-${1000 + index}`))

const load = (content: string, now = testNow) => importFile(scene.db, ['file', content], { now })

async function entries(source: 'kev' | 'euvd') {
  return scene.db
    .selectFrom('exploited')
    .select(['cve_id', 'euvd_id', 'name', 'listed_on', 'first_seen_at', 'removed_at'])
    .where('source', '=', source)
    .orderBy('id')
    .execute()
}

async function sourceState(name: string) {
  return (await listSources(scene.db)).find((source) => source.name === name)
}

test.skipIf(!existsSync(kevSample))(
  'the sample catalogue is taken over with all its entries; a second time changes nothing (needs the sample data)',
  async () => {
    const text = readFileSync(kevSample, 'utf8')
    expect(await load(text)).toEqual({ source: 'kev', records: 1404, added: 1404, changed: 0, withdrawn: 0 })
    expect(await entries('kev')).toHaveLength(1404)
    expect(await takeJobs(scene.db)).toEqual([{ kind: 'refresh_exploited', payload: {} }])
    expect(await load(text, later)).toEqual({
      source: 'kev',
      records: 1404,
      added: 0,
      changed: 0,
      withdrawn: 0,
    })
    expect(await load(`${text}\n`, later)).toEqual({
      source: 'kev',
      records: 1404,
      added: 0,
      changed: 0,
      withdrawn: 0,
    })
    expect(await takeJobs(scene.db)).toEqual([])
    expect(await sourceState('kev')).toMatchObject({ recordCount: 1404, lastSuccessAt: later })
  },
)

test('additions and removals are told to findings, edits are not', async () => {
  await load(kevFile(cves(4)))
  await takeJobs(scene.db)
  const edited = [
    kevEntry('CVE-2025-1000', { knownRansomwareCampaignUse: 'Known', dueDate: '2025-04-01' }),
    ...cves(4).slice(1),
  ]
  expect(await load(kevFile(edited))).toMatchObject({ added: 0, changed: 1, withdrawn: 0 })
  expect(await takeJobs(scene.db)).toEqual([])
  expect(await load(kevFile(edited.slice(1)), later)).toMatchObject({ added: 0, changed: 0, withdrawn: 1 })
  expect(await takeJobs(scene.db)).toHaveLength(1)
  expect((await entries('kev'))[0]).toMatchObject({
    cve_id: 'CVE-2025-1000',
    first_seen_at: testNow,
    removed_at: later,
  })
  expect(await load(kevFile(edited), later)).toMatchObject({ added: 1, withdrawn: 0 })
  expect(await takeJobs(scene.db)).toHaveLength(1)
  expect((await entries('kev'))[0]).toMatchObject({
    cve_id: 'CVE-2025-1000',
    first_seen_at: testNow,
    removed_at: null,
  })
})

test('entries keep what the catalogue says of them', async () => {
  await load(kevFile([kevEntry('cve-2025-1000', { notes: 'a\u0000b', cwes: ['CWE-1'] })]))
  const [row] = await scene.db.selectFrom('exploited').selectAll().execute()
  expect(row).toMatchObject({
    cve_id: 'CVE-2025-1000',
    name: 'Acme Pump cve-2025-1000',
    listed_on: '2025-03-01',
  })
  expect(row?.entry).toMatchObject({ kev: { raw: { notes: 'ab', cwes: ['CWE-1'], product: 'Pump' } } })
})

test.each([
  ['a catalogue cut off in the middle', kevFile(cves(9)).slice(0, 900), 'mistake at line 1'],
  [
    'a catalogue whose count is wrong',
    kevFile(cves(9), { count: 10 }),
    'expected the 10 entries the catalogue counts, found 9',
  ],
  ['a catalogue of less than half the size', kevFile(cves(4)), 'expected about 9 entries as before, found 4'],
  ['an empty catalogue', kevFile([]), 'expected about 9 entries as before, found 0'],
  [
    'an entry without an id',
    kevFile([...cves(9), { product: 'x' }]),
    '/vulnerabilities/9: expected "cveID", found none',
  ],
  [
    'an entry with another id',
    kevFile([...cves(9), kevEntry('GHSA-x')]),
    '/vulnerabilities/9: "cveID" is not an id',
  ],
])('%s is refused whole', async (_, content, message) => {
  await load(kevFile(cves(9)))
  await takeJobs(scene.db)
  const before = await entries('kev')
  await expect(load(content, later)).rejects.toThrow(message)
  expect(await entries('kev')).toEqual(before)
  expect(await takeJobs(scene.db)).toEqual([])
})

test('a refused refresh keeps the data, and shows the error and the age of the last good copy', async () => {
  const deps = scene.depsOf('kev', 'kev.json')
  scene.server.files.set('kev.json', kevFile(cves(3)))
  await refreshSource(deps, { source: 'kev', now: testNow })
  expect(await sourceState('kev')).toMatchObject({ lastSuccessAt: testNow, lastError: null, recordCount: 3 })
  const failures: [content: string | Buffer | number, message: string | RegExp][] = [
    ['<!DOCTYPE html><html>Moved</html>', 'expected vulnerability data, found an HTML page'],
    [404, 'expected status 200, found 404'],
    [503, 'expected status 200, found 503'],
    [kevFile(cves(3)).slice(0, -20), /mistake at line 1/],
    ['euvd_id,cve_id\nEUVD-2025-1,CVE-2025-1\n', 'expected the data of kev, found those of euvdMapping'],
    [zipOf({ 'a.json': '{}' }), 'expected the data of kev, found a zip file'],
  ]
  for (const [content, message] of failures) {
    scene.server.files.set('kev.json', content)
    await refreshSource(deps, { source: 'kev', now: later })
    const state = await sourceState('kev')
    expect(state).toMatchObject({ lastAttemptAt: later, lastSuccessAt: testNow, recordCount: 3 })
    expect(state?.lastError).toMatch(message)
    expect(await entries('kev')).toHaveLength(3)
  }
  scene.server.files.set('kev.json', kevFile(cves(4)))
  await refreshSource(deps, { source: 'kev', now: later })
  expect(await sourceState('kev')).toMatchObject({ lastSuccessAt: later, lastError: null, recordCount: 4 })
})

test('a release from before the one that was read is refused at the same address, as of a copy that is behind', async () => {
  const deps = scene.depsOf('kev', 'kev.json')
  const refresh = async (dateReleased: string, count: number, from = deps) => {
    scene.server.files.set('kev.json', kevFile(cves(count), { dateReleased }))
    scene.server.files.set('copy.json', kevFile(cves(count), { dateReleased }))
    await refreshSource(from, { source: 'kev', now: later })
    const [state, listed] = [await sourceState('kev'), await entries('kev')]
    return [state?.lastError, listed.filter(({ removed_at: removedAt }) => removedAt === null).length]
  }
  expect(await refresh('2026-01-01T17:00:29.5478Z', 5)).toEqual([null, 5])
  expect(await refresh('2025-12-31T17:00:00Z', 4)).toEqual([
    'expected a release of 1 Jan 2026, 17:00:29 UTC or later, found one of 31 Dec 2025, 17:00:00 UTC',
    5,
  ])
  expect(await refresh('2026-01-01T18:00:00Z', 6)).toEqual([null, 6])
  // one that is dated ahead of time does not keep the next ones out, and neither does what states no time
  expect(await refresh('2031-01-01T00:00:00Z', 7)).toEqual([null, 7])
  expect(await refresh('2026-01-01T19:00:00Z', 8)).toEqual([null, 8])
  expect(await refresh('soon', 9)).toEqual([null, 9])
  expect(await refresh('2026-01-01T20:00:00Z', 8)).toEqual([null, 8])
  // another address has its own releases, and a file by hand is the operator's decision
  const copy = scene.depsOf('kev', 'copy.json')
  expect(await refresh('2025-12-01T00:00:00Z', 7, copy)).toEqual([null, 7])
  await load(kevFile(cves(6), { dateReleased: '2025-11-01T00:00:00Z' }), later)
  expect(await sourceState('kev')).toMatchObject({ recordCount: 6, lastError: null })
})

test('a source that cannot be reached, or is switched off, changes nothing', async () => {
  const deps = importDeps(scene.db, { kev: 'http://127.0.0.1:1/kev.json' })
  await refreshSource(deps, { source: 'kev', now: testNow })
  expect(await sourceState('kev')).toMatchObject({ lastError: 'no connection could be made to the host' })
  await refreshSource(importDeps(scene.db), { source: 'euvd', now: testNow })
  expect(await sourceState('euvd')).toBeUndefined()
})

const euKev = (...list: unknown[]) => JSON.stringify(list)
const euEntry = (ids: Record<string, string>, more: Record<string, unknown> = {}) => ({
  ...ids,
  vendorProject: 'Acme',
  product: 'Valve',
  dateReported: '2025/04/16',
  originSource: 'CSIRT',
  exploitationType: ['ransomware'],
  ...more,
})

test('the EU file is read in every shape it has had', async () => {
  expect(
    await load(
      euKev(
        euEntry({ cveID: 'CVE-2025-1000', euvdID: 'EUVD-2025-1' }, { vulnerabilityName: 'Valve flaw' }),
        euEntry(
          { cveID: 'CVE-2025-1001', euvdID: 'EUVD-2025-2' },
          { dateReported: '25/04/17', exploitationType: 'APT' },
        ),
        euEntry({ euvdID: 'EUVD-2025-3' }, { dateReported: '2025-04-18' }),
        euEntry({ cveID: 'CVE-2025-1003', euvdID: '' }, { dateReported: 'spring' }),
      ),
    ),
  ).toMatchObject({ source: 'eukev', added: 4 })
  expect((await entries('euvd')).map((row) => [row.cve_id, row.euvd_id, row.name, row.listed_on])).toEqual([
    ['CVE-2025-1000', 'EUVD-2025-1', 'Valve flaw', '2025-04-16'],
    ['CVE-2025-1001', 'EUVD-2025-2', 'Acme Valve', '2025-04-17'],
    [null, 'EUVD-2025-3', 'Acme Valve', '2025-04-18'],
    ['CVE-2025-1003', null, 'Acme Valve', null],
  ])
  await expect(load('[{"cveID":"CVE-2025-1","dateReported":"2025/01/01",},]')).rejects.toThrow(
    'mistake at line 1',
  )
})

const dump = (...list: unknown[]) => JSON.stringify(list)
const dumpEntry = (cveId: string | null, euvdId: string | null, sources: unknown) => ({
  ...(cveId === null ? {} : { cveId }),
  ...(euvdId === null ? {} : { euvdId }),
  dateAdded: 'Apr 10, 2025, 7:00:16 AM',
  sources,
})

test('of the dump only what the EU list has counts; what only CISA lists is not an entry of it', async () => {
  const report = await load(
    dump(
      dumpEntry('CVE-2025-1000', 'EUVD-2025-1', ['cisa_kev']),
      dumpEntry('CVE-2025-1001', 'EUVD-2025-2', ['cisa_kev', 'eu_kev']),
      dumpEntry('CVE-2025-1002', 'EUVD-2025-3', ['eukev_kev']),
      dumpEntry(null, 'EUVD-2025-4', ['EU_KEV']),
      dumpEntry('CVE-2025-1005', null, 'eu_kev'),
    ),
  )
  expect(report).toEqual({ source: 'euvd', records: 5, added: 4, changed: 0, withdrawn: 0 })
  expect((await entries('euvd')).map((row) => row.cve_id ?? row.euvd_id)).toEqual([
    'CVE-2025-1001',
    'CVE-2025-1002',
    'EUVD-2025-4',
    'CVE-2025-1005',
  ])
  expect((await entries('euvd'))[0]?.listed_on).toBe('2025-04-10')
  await expect(
    load(dump(dumpEntry('CVE-2025-1000', null, ['eu_kev']), dumpEntry('CVE-2025-1001', null, ['cisa_kev']))),
  ).rejects.toThrow('expected about 5 entries as before, found 2')
  await expect(
    load(dump({ sources: ['eu_kev'], dateAdded: 'x', cveId: 'CVE-2025-1000' }, { sources: [] })),
  ).rejects.toThrow('expected "cveId" or "euvdId", found neither')
})

test('the file and the dump are one catalogue: an entry is removed when both have dropped it', async () => {
  const others = ['CVE-2025-2000', 'CVE-2025-2001'].map((id) => dumpEntry(id, null, ['eu_kev']))
  const removals = async () => (await entries('euvd')).map((row) => row.removed_at)
  await load(euKev(euEntry({ cveID: 'CVE-2025-1000' }), euEntry({ cveID: 'CVE-2025-1001' })))
  await load(dump(dumpEntry('CVE-2025-1000', 'EUVD-2025-1', ['eu_kev']), ...others))
  expect((await entries('euvd')).map((row) => [row.cve_id, row.euvd_id, row.listed_on])).toEqual([
    ['CVE-2025-1000', 'EUVD-2025-1', '2025-04-10'],
    ['CVE-2025-1001', null, '2025-04-16'],
    ['CVE-2025-2000', null, '2025-04-10'],
    ['CVE-2025-2001', null, '2025-04-10'],
  ])
  await load(euKev(euEntry({ cveID: 'CVE-2025-1001' })), later)
  expect(await removals()).toEqual([null, null, null, null])
  await takeJobs(scene.db)
  await load(dump(dumpEntry('CVE-2025-1000', 'EUVD-2025-1', ['cisa_kev']), ...others), later)
  expect(await removals()).toEqual([later, null, null, null])
  expect(await takeJobs(scene.db)).toHaveLength(1)
})

test('an entry that gets its CVE id later stays the same entry', async () => {
  await load(euKev(euEntry({ euvdID: 'EUVD-2025-9' })))
  await takeJobs(scene.db)
  await load(euKev(euEntry({ cveID: 'CVE-2025-1009', euvdID: 'EUVD-2025-9' })), later)
  expect(await entries('euvd')).toMatchObject([
    { cve_id: 'CVE-2025-1009', euvd_id: 'EUVD-2025-9', first_seen_at: testNow, removed_at: null },
  ])
  expect(await takeJobs(scene.db)).toHaveLength(1)
})

test('the mapping is replaced by what changed', async () => {
  const rows = (from: number, to: number) =>
    Array.from(
      { length: to - from },
      (_, index) => `EUVD-2025-${from + index},CVE-2025-${10_000 + from + index}`,
    )
  const file = (lines: string[]) => ['euvd_id,cve_id', ...lines, ''].join('\n')
  expect(await load(file(rows(0, 50)))).toEqual({
    source: 'euvdMapping',
    records: 50,
    added: 50,
    changed: 0,
    withdrawn: 0,
  })
  expect(await takeJobs(scene.db)).toHaveLength(1)
  expect(await load(file([...rows(10, 55), 'EUVD-2025-99,']))).toMatchObject({
    records: 45,
    added: 5,
    withdrawn: 10,
  })
  expect(await scene.db.selectFrom('euvd_mapping').selectAll().execute()).toHaveLength(45)
  expect(await takeJobs(scene.db)).toHaveLength(1)
  expect(await load(file(rows(10, 55)).replaceAll('\n', '\r\n'))).toMatchObject({ added: 0, withdrawn: 0 })
  expect(await takeJobs(scene.db)).toEqual([])
  await expect(load(file(rows(10, 20)))).rejects.toThrow('expected about 45 entries as before, found 10')
  await expect(load(file([...rows(10, 50), 'EUVD-2025-1;CVE-2025-1']))).rejects.toThrow(
    'line 42: expected an EUVD id',
  )
  expect(await scene.db.selectFrom('euvd_mapping').selectAll().execute()).toHaveLength(45)
})
