import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { importVulnerabilityData } from '../../src/vulndata/import.ts'
import { selectDocuments } from '../../src/vulndata/select-documents.ts'
import { listSources } from '../../src/vulndata/source-states.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import {
  addIdentity,
  emptyStore,
  folderOf,
  importDeps,
  indexOf,
  record,
  storedRecords,
  takeJobs,
  wholeFile,
  zipOf,
  type TestRecord,
} from './support.ts'
import { loadRecords } from '../matching/match-support.ts'
import { testNow } from '../support/clock.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => emptyStore(database.db))

const load = (from: string) => importVulnerabilityData(importDeps(database.db), { from, now: testNow })

async function loadWhole(records: TestRecord[]) {
  const [report] = await load(join(folderOf({ 'npm/all.zip': wholeFile(records) }), 'npm/all.zip'))
  return report
}

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => record(`OSV-2025-${index}`, `npm/package-${index}`))

async function liveRecords(): Promise<string[]> {
  const rows = await database.db
    .selectFrom('vulnerability')
    .select('record_id')
    .where('withdrawn_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map((row) => row.record_id)
}

async function sourceState(name: string) {
  return (await listSources(database.db)).find((source) => source.name === name)
}

test('records come from a folder, a zip file, lines and a single file alike', async () => {
  const records = [record('OSV-1', 'npm/left'), record('OSV-2', 'npm/right')]
  const texts = records.map((each) => JSON.stringify(each))
  const forms = folderOf({
    'folder/OSV-1.json': texts[0] ?? '',
    'folder/deep/OSV-2.json': texts[1] ?? '',
    'records.zip': zipOf({ 'OSV-1.json': texts[0] ?? '', 'x/OSV-2.json': texts[1] ?? '', 'readme.md': '#' }),
    'records.ndjson': `\ufeff${texts[0] ?? ''}\r\n\n${texts[1] ?? ''}`,
  })
  await load(join(forms, 'folder'))
  const expected = await storedRecords(database.db)
  expect(expected).toHaveLength(2)
  for (const form of ['records.zip', 'records.ndjson']) {
    await emptyStore(database.db)
    await load(join(forms, form))
    expect(await storedRecords(database.db)).toEqual(expected)
  }
  await load(
    join(folderOf({ 'one.json': JSON.stringify(record('OSV-3', 'npm/third'), null, 2) }), 'one.json'),
  )
  expect(await liveRecords()).toEqual(['OSV-1', 'OSV-2', 'OSV-3'])
})

test('a second import of the same records changes nothing and orders nothing', async () => {
  await addIdentity(database.db, 'npm', 'left')
  const records = [record('OSV-1', 'npm/left', { aliases: ['CVE-2025-0001'] }), record('OSV-2', 'npm/right')]
  expect(await loadRecords(database.db, ...records)).toMatchObject({ added: 2, unchanged: 0, matchJobs: 1 })
  const stored = await storedRecords(database.db)
  expect(await takeJobs(database.db)).toEqual([
    { kind: 'match_packages', payload: { packageKeys: ['npm\u001fleft', 'npm\u001fright'] } },
  ])
  expect(await loadRecords(database.db, ...records)).toMatchObject({
    added: 0,
    changed: 0,
    edited: 0,
    unchanged: 2,
    matchJobs: 0,
  })
  expect(await storedRecords(database.db)).toEqual(stored)
  expect(await takeJobs(database.db)).toEqual([])
})

test('an edit of texts keeps the ranges and matches nothing again; a changed range does', async () => {
  await addIdentity(database.db, 'npm', 'left')
  await loadRecords(database.db, record('OSV-1', 'npm/left'))
  await takeJobs(database.db)
  const rangesOf = () => database.db.selectFrom('affected_range').selectAll().execute()
  const before = await rangesOf()
  const edited = record('OSV-1', 'npm/left', { summary: 'New words', modified: '2025-07-01T00:00:00Z' })
  expect(await loadRecords(database.db, edited)).toMatchObject({ edited: 1, changed: 0, matchJobs: 0 })
  expect(await rangesOf()).toEqual(before)
  const [row] = await database.db.selectFrom('vulnerability').select(['summary', 'modified_at']).execute()
  expect(row).toEqual({ summary: 'New words', modified_at: new Date('2025-07-01T00:00:00Z') })
  expect(await loadRecords(database.db, record('OSV-1', 'npm/left', { fixed: '3.0.0' }))).toMatchObject({
    changed: 1,
    matchJobs: 1,
  })
  expect((await rangesOf()).map((range) => range.upper_text)).toEqual(['3.0.0'])
})

test('a record that moves to another package has both packages matched again', async () => {
  await addIdentity(database.db, 'npm', 'left')
  await addIdentity(database.db, 'npm', 'right')
  await loadRecords(database.db, record('OSV-1', 'npm/left'))
  await takeJobs(database.db)
  await loadRecords(database.db, record('OSV-1', 'npm/right'))
  expect(await takeJobs(database.db)).toEqual([
    { kind: 'match_packages', payload: { packageKeys: ['npm\u001fleft', 'npm\u001fright'] } },
  ])
})

test('matching is ordered in jobs of at most 500 packages', async () => {
  expect(await loadWhole(many(501))).toMatchObject({ matchJobs: 2 })
  const jobs = await takeJobs(database.db)
  const keys = jobs.flatMap(({ kind, payload }) => (kind === 'match_packages' ? [payload.packageKeys] : []))
  expect(keys.map((list) => list.length)).toEqual([500, 1])
  expect(new Set(keys.flat()).size).toBe(501)
})

test('a withdrawn record affects nothing any more, and returns when it is live again', async () => {
  await addIdentity(database.db, 'npm', 'left')
  await loadRecords(database.db, record('OSV-1', 'npm/left'))
  await takeJobs(database.db)
  await loadRecords(database.db, record('OSV-1', 'npm/left', { withdrawn: '2025-08-01T00:00:00Z' }))
  expect(await database.db.selectFrom('affected_range').selectAll().execute()).toEqual([])
  expect(await liveRecords()).toEqual([])
  expect(await takeJobs(database.db)).toHaveLength(1)
  await loadRecords(database.db, record('OSV-1', 'npm/left'))
  expect(await liveRecords()).toEqual(['OSV-1'])
  expect(await takeJobs(database.db)).toHaveLength(1)
})

test('a whole file withdraws the records it lacks; other sets of records only add', async () => {
  await addIdentity(database.db, 'npm', 'package-19')
  const records = many(20)
  await loadWhole(records)
  await takeJobs(database.db)
  expect(await loadRecords(database.db, record('OSV-2025-20', 'npm/package-20'))).toMatchObject({
    added: 1,
    withdrawn: 0,
  })
  expect(await loadWhole([...records.slice(0, 19), record('OSV-2025-20', 'npm/package-20')])).toMatchObject({
    withdrawn: 1,
  })
  expect(await liveRecords()).not.toContain('OSV-2025-19')
  expect(await takeJobs(database.db)).toEqual([
    { kind: 'match_packages', payload: { packageKeys: ['npm\u001fpackage-20'] } },
    { kind: 'match_packages', payload: { packageKeys: ['npm\u001fpackage-19'] } },
  ])
  expect(await loadWhole([...records, record('OSV-2025-20', 'npm/package-20')])).toMatchObject({ changed: 1 })
  expect(await liveRecords()).toContain('OSV-2025-19')
})

test('a whole file that would withdraw more than 10 % is refused, and the good data stays', async () => {
  await loadWhole(many(20))
  const stored = await storedRecords(database.db)
  const half = loadWhole([...many(10), record('OSV-NEW', 'npm/new')])
  await expect(half).rejects.toThrow('the file of npm lacks 10 of 21 records')
  expect(await storedRecords(database.db)).toEqual(stored)
})

test('a record on two ecosystems belongs to one of them, and moves when it leaves that one', async () => {
  const both = record('OSV-BOTH', 'npm/left', {
    affected: ['npm', 'PyPI'].map((ecosystem) => ({
      package: { ecosystem, name: 'left' },
      versions: ['1.0'],
    })),
  })
  const npm = [...many(20), both]
  const python = [record('PYSEC-1', 'PyPI/snake'), both]
  const mirror = (files: Record<string, TestRecord[]>) =>
    folderOf(
      Object.fromEntries(
        Object.entries(files).map(([name, records]) => [`${name}/all.zip`, wholeFile(records)]),
      ),
    )
  await load(mirror({ npm, PyPI: python }))
  const sourceOf = async () =>
    (
      await database.db
        .selectFrom('vulnerability')
        .select('source')
        .where('record_id', '=', 'OSV-BOTH')
        .executeTakeFirst()
    )?.source
  const owner = await sourceOf()
  await load(mirror({ npm, PyPI: python }))
  expect(await sourceOf()).toBe(owner)
  const leaving = { 'osv:npm': { npm: npm.slice(0, 20) }, 'osv:PyPI': { PyPI: python.slice(0, 1) } }[
    owner ?? ''
  ]
  await load(mirror(leaving ?? {}))
  expect(await sourceOf()).toBe(owner === 'osv:npm' ? 'osv:PyPI' : 'osv:npm')
  expect(await liveRecords()).toContain('OSV-BOTH')
})

const broken: [name: string, content: (zip: Buffer) => Buffer | string, message: string | RegExp][] = [
  ['a truncated zip file', (zip) => zip.subarray(0, zip.length - 200), 'expected a complete zip file'],
  ['a zip file cut in the middle', (zip) => zip.subarray(0, zip.length / 2), 'expected a complete zip file'],
  ['an HTML page', () => '<!doctype html><title>Moved</title>', 'found an HTML page'],
  ['nothing', () => '', 'found nothing'],
  [
    'a zip file with a broken record',
    () => zipOf({ 'a.json': '{"id":"OSV-1","modified":' }),
    /a\.json: .*mistake at line 1/,
  ],
  ['a zip file with another kind of JSON', () => zipOf({ 'a.json': '{"name":"x"}' }), 'found no "id"'],
  ['a zip file with an HTML page', () => zipOf({ 'a.json': '<html>' }), 'found an HTML page'],
  ['a zip file without records', () => zipOf({ 'a.txt': 'x' }), 'expected records, found none'],
  ['lines, one of them broken', () => `${JSON.stringify(record('OSV-1', 'npm/left'))}\n{"id":`, 'line 2'],
  ['a package file', () => '{"name":"left","version":"1.0.0"}', 'JSON of an unknown kind'],
  ['an empty list', () => '[]', 'an empty list'],
  [
    'NVD data without entries',
    () => '{"format":"NVD_CVE","version":"2.0","totalResults":0,"vulnerabilities":[]}',
    'expected records, found none',
  ],
  [
    'EPSS scores without rows',
    () => '#model_version:v2025,score_date:2025-01-01\ncve,epss,percentile\n',
    'expected EPSS scores, found none',
  ],
  ['an index', () => indexOf(many(2)), 'an index of modified records'],
]

test.each(broken)('%s is refused whole and says what was found', async (_, content, message) => {
  await loadWhole(many(5))
  const stored = await storedRecords(database.db)
  const file = join(folderOf({ 'all.zip': content(wholeFile(many(50))) }), 'all.zip')
  await expect(load(file)).rejects.toThrow(message)
  expect(await storedRecords(database.db)).toEqual(stored)
})

test('a path or address that cannot be read is refused in words', async () => {
  await expect(load('/no/such/file')).rejects.toThrow('found nothing that can be read at /no/such/file')
  await expect(load('http://127.0.0.1:1/all.zip')).rejects.toThrow(
    'http://127.0.0.1:1/all.zip: no connection could be made to the host',
  )
})

test('one broken ecosystem of a mirror does not keep the others from being taken over, and shows its error', async () => {
  const folder = folderOf({
    'npm/all.zip': wholeFile(many(3)),
    'PyPI/all.zip': wholeFile([record('PYSEC-1', 'PyPI/snake')]).subarray(0, 100),
  })
  await expect(load(folder)).rejects.toThrow(/PyPI: expected a complete zip file.*\nTaken over: osv:npm/)
  expect(await liveRecords()).toHaveLength(3)
  expect(await sourceState('osv:npm')).toMatchObject({
    recordCount: 3,
    lastSuccessAt: testNow,
    lastError: null,
  })
  expect(await sourceState('osv:PyPI')).toMatchObject({
    recordCount: 0,
    lastAttemptAt: testNow,
    lastSuccessAt: null,
    lastError: 'expected a complete zip file, found one that is cut off',
  })
})

test('documents are read back as they were written', async () => {
  await loadRecords(database.db, record('OSV-1', 'npm/left'), record('OSV-2', 'npm/right'))
  const rows = await database.db.selectFrom('vulnerability').select('id').orderBy('id').execute()
  const documents = await selectDocuments(
    database.db,
    rows.map((row) => row.id),
  )
  expect(documents.map((each) => [each.recordId, JSON.parse(each.document) as unknown])).toEqual([
    ['OSV-1', record('OSV-1', 'npm/left')],
    ['OSV-2', record('OSV-2', 'npm/right')],
  ])
})

test('progress is told for every part', async () => {
  const seen: string[] = []
  const unscored = record('OSV-bundle', 'npm/left', { upstream: ['CVE-2026-1'] })
  const from = folderOf({ 'npm/all.zip': wholeFile([...many(1_200), unscored]) })
  await importVulnerabilityData(importDeps(database.db), {
    from,
    now: testNow,
    onProgress: ({ label, done, total }) => seen.push(`${label} ${done}/${total ?? '?'}`),
  })
  expect(seen).toContain('npm 0/1201')
  expect(seen).toContain('npm 1000/1201')
  expect(seen).toContain('npm 1201/1201')
  expect(seen.at(-1)).toBe('npm, groups 1/1')
})

test('of a mirror the ecosystems of stored components are loaded first', async () => {
  const ecosystems = ['Go', 'PyPI', 'crates.io', 'npm']
  const from = folderOf(
    Object.fromEntries(
      ecosystems.map((name) => [`${name}/all.zip`, wholeFile([record(`OSV-${name}`, `${name}/left`)])]),
    ),
  )
  const load = async () => {
    const reports = await importVulnerabilityData(importDeps(database.db), { from, now: testNow })
    return reports.map(({ source }) => source)
  }
  await addIdentity(database.db, 'npm', 'left')
  expect(await load()).toEqual(['osv:npm', 'osv:Go', 'osv:PyPI', 'osv:crates.io'])
  await addIdentity(database.db, 'PyPI', 'left')
  expect((await load()).slice(0, 2).sort()).toEqual(['osv:PyPI', 'osv:npm'])
})
