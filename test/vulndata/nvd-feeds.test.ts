import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importVulnerabilityData } from '../../src/vulndata/import.ts'
import { refreshSource } from '../../src/vulndata/refresh.ts'
import { listSources } from '../../src/vulndata/source-states.ts'
import { serveFeed } from './feed-scene.ts'
import { addIdentity, folderOf, importDeps, takeJobs, zipOf } from './support.ts'
import { textWith } from '../support/expected.ts'

const start = new Date('2004-03-01T00:00:00Z')
const nvd = serveFeed('nvd', { start })
const { later, state } = nvd
const years = ['2002', '2003', '2004']

function feed(...ids: string[]): string {
  const vulnerabilities = ids.map((id) => ({
    cve: {
      id,
      lastModified: '2004-01-01T00:00:00.000',
      descriptions: [{ lang: 'en', value: `About ${id}` }],
      configurations: [
        {
          nodes: [{ operator: 'OR', cpeMatch: [{ vulnerable: true, criteria: 'cpe:2.3:a:acme:pump:1.0' }] }],
        },
      ],
    },
  }))
  const envelope = { resultsPerPage: ids.length, format: 'NVD_CVE', version: '2.0' }
  return JSON.stringify({ ...envelope, vulnerabilities })
}

function offer(name: string, text: string, metaOf = text): void {
  const sha256 = createHash('sha256').update(metaOf).digest('hex').toUpperCase()
  const meta = `lastModifiedDate:2004-02-01T00:00:00-05:00\r\nsize:${metaOf.length}\r\nsha256:${sha256}\r\n`
  nvd.server.files.set(`nvdcve-2.0-${name}.meta`, meta)
  nvd.server.files.set(`nvdcve-2.0-${name}.json.gz`, gzipSync(text))
}

function offerAll(): void {
  for (const year of years) offer(year, feed(`CVE-${year}-1000`))
  offer('modified', feed('CVE-2004-1000', 'CVE-2004-1001'))
}

const refresh = (now = start, address = nvd.server.url) =>
  refreshSource(importDeps(nvd.db, { nvd: address }), { source: 'nvd', now })

test('NVD is loaded year by year once a component is named by CPE, and only then', async () => {
  offerAll()
  await refresh()
  expect(nvd.server.asked).toEqual([])
  expect(await state()).toMatchObject({ lastSuccessAt: null, lastError: null })
  await addIdentity(nvd.db, 'cpe', 'a:acme:pump')
  await refresh()
  expect(await nvd.live()).toEqual([...years.map((year) => `NVD:CVE-${year}-1000`), 'NVD:CVE-2004-1001'])
  expect(await state()).toMatchObject({
    lastSuccessAt: start,
    recordCount: 4,
    address: nvd.server.url,
    isWhole: true,
  })
  expect(await listSources(nvd.db)).toHaveLength(1)
  expect((await takeJobs(nvd.db)).every((job) => job.kind === 'match_packages')).toBe(true)
})

test('afterwards only the feed of changes is asked, and fetched when it changed', async () => {
  offerAll()
  await addIdentity(nvd.db, 'cpe', 'a:acme:pump')
  await refresh()
  nvd.server.asked.length = 0
  await refresh(later(2))
  expect(nvd.server.asked).toEqual(['GET nvdcve-2.0-modified.meta'])
  expect(await state()).toMatchObject({ lastSuccessAt: later(2), recordCount: 4 })
  offer('modified', feed('CVE-2004-1002'))
  await refresh(later(4))
  expect(await nvd.live()).toContain('NVD:CVE-2004-1002')
  expect(await state()).toMatchObject({ lastSuccessAt: later(4), recordCount: 5 })
  nvd.server.asked.length = 0
  await refresh(later(4 + 8 * 24))
  expect(nvd.server.asked).toContain('GET nvdcve-2.0-2002.json.gz')
})

test('what came from one address is no basis for the changes of another', async () => {
  offerAll()
  await addIdentity(nvd.db, 'cpe', 'a:acme:pump')
  await refresh()
  const elsewhere = `${nvd.server.url}/mirror`
  await refresh(later(1), elsewhere)
  expect(await state()).toMatchObject({ lastError: /found 404/ })
  for (const [name, content] of [...nvd.server.files]) nvd.server.files.set(`mirror/${name}`, content)
  nvd.server.asked.length = 0
  await refresh(later(2), elsewhere)
  expect(nvd.server.asked).toContain('GET mirror/nvdcve-2.0-2002.json.gz')
  expect(await state()).toMatchObject({ lastSuccessAt: later(2), lastError: null, address: elsewhere })
})

test('a load that was cut off goes on with the year that is missing, and is not loaded before', async () => {
  offerAll()
  offer('2003', feed('CVE-2003-1000').slice(0, 100), feed('CVE-2003-1000'))
  await addIdentity(nvd.db, 'cpe', 'a:acme:pump')
  await refresh()
  expect(await nvd.live()).toEqual(['NVD:CVE-2002-1000'])
  expect(await state()).toMatchObject({ lastSuccessAt: null, lastError: /bytes of NVD data, found 100/ })
  offerAll()
  nvd.server.asked.length = 0
  await refresh(later(1))
  expect(nvd.server.asked).not.toContain('GET nvdcve-2.0-2002.json.gz')
  expect(await state()).toMatchObject({ lastSuccessAt: later(1), lastError: null, recordCount: 4 })
})

test.each<[string, string | Buffer, RegExp]>([
  ['an HTML page', '<html></html>', /bytes of NVD data/],
  ['a truncated gzip file', gzipSync(feed('CVE-2004-1003')).subarray(0, 60), /complete gzip file/],
  ['another feed than announced', gzipSync(feed('CVE-2004-1004')), /SHA-256|bytes/],
])('%s changes nothing and is shown as the error of the source', async (_, content, message) => {
  offerAll()
  await addIdentity(nvd.db, 'cpe', 'a:acme:pump')
  await refresh()
  const before = await nvd.live()
  offer('modified', feed('CVE-2004-1003'))
  nvd.server.files.set('nvdcve-2.0-modified.json.gz', content)
  await refresh(later(1))
  expect(await nvd.live()).toEqual(before)
  const { lastSuccessAt, lastError } = (await state()) ?? {}
  expect(lastSuccessAt).toEqual(start)
  expect(lastError).toMatch(message)
})

test.each(['feed.json', 'feed.json.gz'])('an operator imports a feed file, %s', async (name) => {
  const content = name.endsWith('gz') ? gzipSync(feed('CVE-2004-1000')) : feed('CVE-2004-1000')
  const from = join(folderOf({ [name]: content }), name)
  const reports = await importVulnerabilityData(importDeps(nvd.db), { from, now: start })
  expect(reports).toMatchObject([{ source: 'nvd', records: 1, added: 1 }])
  expect(await state()).toMatchObject({ lastSuccessAt: start, recordCount: 1 })
})

const override = (id: string, version: string) =>
  JSON.stringify({
    _annotation: { cve_id: id, reason: 'Not yet analysed' },
    cve: {
      configurations: [
        {
          nodes: [
            { operator: 'OR', cpeMatch: [{ vulnerable: true, criteria: `cpe:2.3:a:acme:pump:${version}` }] },
          ],
        },
      ],
    },
  })

test.each<[string, string]>([
  ['one file', 'data/2004/CVE-2004-1000.json'],
  ['a folder', ''],
  ['a zip file', 'main.zip'],
])('an operator imports overrides of NVD entries, %s', async (_, path) => {
  const files = {
    'data/2004/CVE-2004-1000.json': override('CVE-2004-1000', '1.1'),
    'data/2004/CVE-2004-1001.json': override('CVE-2004-1001', '1.2'),
    '.snapshot/2004/CVE-2004-1000.json': 'what is written here is nothing of ours',
  }
  const rooted = Object.entries(files).map(([name, text]): [string, string] => [
    `overrides-main/${name}`,
    text,
  ])
  const folder = folderOf({ ...files, 'main.zip': zipOf(Object.fromEntries(rooted)) })
  const count = path.endsWith('.json') ? 1 : 2
  const order = { from: join(folder, path), now: start }
  const deps = importDeps(nvd.db)
  expect(await importVulnerabilityData(deps, order)).toMatchObject([
    { source: 'nvd-overrides', records: count, added: count },
  ])
  const ids = ['NVD-OVERRIDE:CVE-2004-1000', 'NVD-OVERRIDE:CVE-2004-1001'].slice(0, count)
  expect(await nvd.live()).toEqual(ids)
  expect(await importVulnerabilityData(deps, order)).toMatchObject([{ unchanged: count }])
})

test('an override counts beside the entry of NVD, in one group', async () => {
  const deps = importDeps(nvd.db)
  const folder = folderOf({
    'feed.json': feed('CVE-2004-1000'),
    'over/a.json': override('CVE-2004-1000', '1.1'),
  })
  for (const name of ['feed.json', 'over']) {
    await importVulnerabilityData(deps, { from: join(folder, name), now: start })
  }
  const rows = await nvd.db
    .selectFrom('vulnerability')
    .select(['source', 'group_id'])
    .orderBy('source')
    .execute()
  expect(rows.map((row) => row.source)).toEqual(['nvd', 'nvd-overrides'])
  expect(new Set(rows.map((row) => row.group_id)).size).toBe(1)
})

const scores = (day: string, ...rows: string[]) =>
  [`#model_version:v2025.03.14,score_date:${day}T00:00:00+0000`, 'cve,epss,percentile', ...rows, ''].join(
    '\n',
  )

test('EPSS scores are fetched once a day; a broken file leaves the last ones', async () => {
  const deps = importDeps(nvd.db, { epss: `${nvd.server.url}/epss.csv.gz` })
  const stored = () => nvd.db.selectFrom('epss').select(['cve_id', 'score']).orderBy('cve_id').execute()
  nvd.server.files.set(
    'epss.csv.gz',
    gzipSync(scores('2004-03-01', 'CVE-2004-1000,0.5,0.9', 'CVE-2004-1001,0.25,0.5')),
  )
  await refreshSource(deps, { source: 'epss', now: start })
  expect(await stored()).toEqual([
    { cve_id: 'CVE-2004-1000', score: 0.5 },
    { cve_id: 'CVE-2004-1001', score: 0.25 },
  ])
  await refreshSource(deps, { source: 'epss', now: later(1) })
  expect(nvd.server.asked).toHaveLength(1)
  const before = await stored()
  nvd.server.files.set('epss.csv.gz', '<html>busy</html>')
  await refreshSource(deps, { source: 'epss', now: later(24) })
  expect(await stored()).toEqual(before)
  expect((await listSources(nvd.db))[0]).toMatchObject({
    name: 'epss',
    lastSuccessAt: start,
    lastError: textWith('an HTML page'),
    recordCount: 2,
  })
  expect(await takeJobs(nvd.db)).toEqual([])
})
