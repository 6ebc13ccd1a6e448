import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { importVulnerabilityData } from '../../src/vulndata/import.ts'
import { listSources } from '../../src/vulndata/source-states.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { emptyStore, folderOf, importDeps, record, wholeFile, type TestRecord } from './support.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => emptyStore(database.db))

async function load(files: Record<string, string | Buffer>, name = '') {
  const from = join(folderOf(files), name)
  const [report] = await importVulnerabilityData(importDeps(database.db), { from, now: testNow })
  return report
}

/** Of one package, told apart by its summary. */
const osv = (id: string, modified: string, summary: string, more: Record<string, unknown> = {}) =>
  record(id, 'npm/lib', { modified, summary, ...more })

const loadSome = (...records: TestRecord[]) =>
  load(Object.fromEntries(records.map((each) => [`${each.id}.json`, JSON.stringify(each)])))
const loadWhole = (...records: TestRecord[]) => load({ 'npm/all.zip': wholeFile(records) }, 'npm/all.zip')

async function stored(): Promise<Record<string, string>> {
  const live = database.db.selectFrom('vulnerability').select(['record_id', 'summary']).orderBy('record_id')
  const rows = await live.where('withdrawn_at', 'is', null).execute()
  return Object.fromEntries(rows.map(({ record_id: id, summary }) => [id, summary]))
}

const errorOf = async (name: string) =>
  (await listSources(database.db)).find((source) => source.name === name)?.lastError

test('a record from before the one that is stored is kept out, and its source says so', async () => {
  await loadSome(osv('OSV-1', '2025-03-02T00:00:00Z', 'later'), osv('OSV-2', '2025-03-01T00:00:00Z', 'first'))
  const report = await loadSome(
    osv('OSV-1', '2025-03-01T00:00:00Z', 'earlier'),
    osv('OSV-2', '2025-03-01T00:00:00Z', 'other words at the same time'),
  )
  expect(report).toMatchObject({ records: 2, edited: 1, unchanged: 1, older: 1 })
  expect(await stored()).toEqual({ 'OSV-1': 'later', 'OSV-2': 'other words at the same time' })
  expect(await errorOf('osv:npm')).toBe(
    'a record is older than those that are stored, which were kept: expected OSV-1 of 2 Mar 2025, 00:00:00 UTC or later, found one of 1 Mar 2025, 00:00:00 UTC',
  )
  await loadSome(osv('OSV-1', '2025-03-03T00:00:00Z', 'latest'))
  expect(await stored()).toMatchObject({ 'OSV-1': 'latest' })
  expect(await errorOf('osv:npm')).toBeNull()
})

test('a whole file that is behind withdraws nothing', async () => {
  const many = Array.from({ length: 20 }, (_, at) => osv(`OSV-${at + 10}`, '2025-01-01T00:00:00Z', 'same'))
  await loadWhole(
    ...many,
    osv('OSV-1', '2025-03-02T00:00:00Z', 'later'),
    osv('OSV-2', '2025-03-02T00:00:00Z', 'new'),
  )
  await loadWhole(...many, osv('OSV-1', '2025-03-01T00:00:00Z', 'earlier'))
  expect(await stored()).toMatchObject({ 'OSV-1': 'later', 'OSV-2': 'new' })
  expect(await errorOf('osv:npm')).toMatch(/expected OSV-1 of 2 Mar 2025/)
  // one that is not behind does, and fails for no single record that its publisher has dated back
  const report = await loadWhole(
    ...many,
    osv('OSV-1', '2025-03-01T00:00:00Z', 'earlier'),
    osv('OSV-3', '2025-03-04T00:00:00Z', 'newest'),
  )
  expect(report).toMatchObject({ withdrawn: 1, older: 1 })
  expect(await stored()).toMatchObject({ 'OSV-1': 'later', 'OSV-3': 'newest' })
  expect(await errorOf('osv:npm')).toBeNull()
  // beside a source that is complete, an older file by hand is no failure of the source
  expect(await loadSome(osv('OSV-1', '2025-03-01T00:00:00Z', 'earlier'))).toMatchObject({ older: 1 })
  expect(await errorOf('osv:npm')).toBeNull()
})

test('a time ahead keeps no later record out, and what its source no longer had may come back as it was', async () => {
  const many = Array.from({ length: 20 }, (_, at) => osv(`OSV-${at + 10}`, '2025-01-01T00:00:00Z', 'same'))
  const withFirst = [
    ...many,
    osv('OSV-1', '2099-01-01T00:00:00Z', 'ahead'),
    osv('OSV-2', '2025-03-02T00:00:00Z', 'there'),
  ]
  await loadWhole(...withFirst)
  await loadSome(osv('OSV-1', '2025-03-01T00:00:00Z', 'in time'))
  await loadWhole(...many, osv('OSV-1', '2025-03-02T00:00:00Z', 'in time'))
  expect(await stored()).not.toHaveProperty('OSV-2')
  await loadSome(osv('OSV-2', '2025-03-01T00:00:00Z', 'back'))
  expect(await stored()).toMatchObject({ 'OSV-1': 'in time', 'OSV-2': 'back' })
})

const cveRecord = (dateUpdated: string | undefined, lessThan: string) =>
  JSON.stringify({
    dataType: 'CVE_RECORD',
    dataVersion: '5.1',
    cveMetadata: {
      cveId: 'CVE-2025-9001',
      state: 'PUBLISHED',
      ...(dateUpdated === undefined ? {} : { dateUpdated }),
    },
    containers: {
      cna: {
        affected: [
          {
            vendor: 'acme',
            product: 'pump',
            versions: [{ version: '0', status: 'affected', lessThan, versionType: 'semver' }],
          },
        ],
      },
    },
  })
const loadCve = (...[dateUpdated, lessThan]: Parameters<typeof cveRecord>) =>
  load({ 'cves/2025/9xxx/CVE-2025-9001.json': cveRecord(dateUpdated, lessThan) })

test('so it is with records of CVEs, by `dateUpdated`', async () => {
  const fixes = async () => {
    const rows = await database.db.selectFrom('affected_range').select('upper_text').distinct().execute()
    return rows.map(({ upper_text: fix }) => fix)
  }
  await loadCve('2025-03-02T00:00:00.000Z', '2.0')
  await loadCve('2025-03-01T00:00:00.000Z', '1.0')
  expect(await fixes()).toEqual(['2.0'])
  expect(await errorOf('cve-list')).toMatch(/CVELIST:CVE-2025-9001 of 2 Mar 2025/)
  await loadCve(undefined, '3.0')
  expect(await fixes()).toEqual(['3.0'])
})
