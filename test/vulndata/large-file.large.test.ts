import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { importVulnerabilityData } from '../../src/vulndata/import.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { importDeps, record, zipOf, type TestRecord } from './support.ts'
import { testNow } from '../support/clock.ts'

/** Large files are read on a separate thread. */

let database: TestDatabase
let folder: string
beforeAll(async () => (database = await createTestDatabase()))
afterAll(() => database.drop())
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'large-file-'))
  await sql`
    truncate vulnerability, vulnerability_group, affected_range, alias_assertion, data_source, job cascade`.execute(
    database.db,
  )
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const count = 1_300

/** Records with incompressible texts. */
function many(fixed = '2.0.0'): TestRecord[] {
  return Array.from({ length: count }, (_, index) =>
    record(`GO-2025-${1_000 + index}`, `Go/example.com/p${index}`, { fixed, details: noise[index] }),
  )
}
const noise = Array.from({ length: count }, () => `tab\t and "line"\n${randomBytes(500).toString('base64')}`)

function zip(records: readonly TestRecord[], more: Record<string, string> = {}): string {
  const files = Object.fromEntries(
    records.map((each, index) => [`${String(index).padStart(5, '0')}.json`, JSON.stringify(each)]),
  )
  const path = join(folder, 'all.zip')
  writeFileSync(path, zipOf({ ...files, ...more }))
  expect(statSync(path).size).toBeGreaterThan(600_000)
  return path
}

const load = (from: string) => importVulnerabilityData(importDeps(database.db), { from, now: testNow })

async function upperBounds(): Promise<Map<string, number>> {
  const { rows } = await sql<{ upper: string; count: number }>`
    select upper_text as upper, count(*) as count from affected_range group by 1`.execute(database.db)
  return new Map(rows.map((row) => [row.upper, row.count]))
}

test('are taken over as small ones are, and again change what changed', async () => {
  const records = many()
  expect(await load(zip(records))).toMatchObject([{ source: 'osv:Go', records: count, added: count }])
  const { rows } = await sql<{ record_id: string; document: string }>`
    select record_id, document from vulnerability`.execute(database.db)
  expect(new Map(rows.map((row) => [row.record_id, row.document]))).toEqual(
    new Map(records.map((each) => [each.id, JSON.stringify(each)])),
  )
  expect(await upperBounds()).toEqual(new Map([['2.0.0', count]]))

  const changed = [...many('3.0.0').slice(0, 700), ...records.slice(700)]
  expect(await load(zip(changed))).toMatchObject([{ added: 0, changed: 700, unchanged: count - 700 }])
  expect(await upperBounds()).toEqual(
    new Map([
      ['2.0.0', count - 700],
      ['3.0.0', 700],
    ]),
  )
})

test('that are broken after thousands of records change nothing, and name the place', async () => {
  await expect(load(zip(many(), { 'broken.json': '{"id": "GO-1"' }))).rejects.toThrow(
    /broken\.json: expected JSON, found a mistake at/,
  )
  expect(await upperBounds()).toEqual(new Map())
  expect(await load(zip(many()))).toMatchObject([{ added: count }])
})

test('that end early are refused', async () => {
  const path = zip(many())
  writeFileSync(path, zipOf({ 'a.json': '{}' }).subarray(0, 20))
  await expect(load(path)).rejects.toThrow(/expected a complete zip file, found/)
  const lines = join(folder, 'records.ndjson')
  writeFileSync(lines, [...many().map((each) => JSON.stringify(each)), 'half of {'].join('\n'))
  await expect(load(lines)).rejects.toThrow(`line ${count + 1}: expected JSON`)
})

test('in which a stored record comes changed and then as it was leave it as it was', async () => {
  const records = many()
  await load(zip(records))
  const other = many('9.0.0').slice(0, 1)
  await load(zip([...other, ...records.slice(1), ...records.slice(0, 1)]))
  expect(await upperBounds()).toEqual(new Map([['2.0.0', count]]))
})

test('of a mirror are taken over one after the other, and a broken one is left out', async () => {
  const ofEcosystem = (ecosystem: string) =>
    many().map((each, index) => ({
      ...record(`${ecosystem}-${index}`, `${ecosystem}/p${index}`),
      details: each['details'],
    }))
  const place = (ecosystem: string, more: Record<string, string> = {}) => {
    mkdirSync(join(folder, ecosystem), { recursive: true })
    renameSync(zip(ofEcosystem(ecosystem), more), join(folder, ecosystem, 'all.zip'))
  }
  place('Bitnami')
  place('Go', { 'broken.json': '{' })
  place('PyPI')
  await expect(load(folder)).rejects.toThrow(
    /^Go: broken\.json: expected JSON[^]*Taken over: osv:Bitnami, osv:PyPI$/,
  )
  place('Go')
  expect(await load(folder)).toMatchObject([
    { source: 'osv:Bitnami', added: 0, unchanged: count },
    { source: 'osv:Go', added: count },
    { source: 'osv:PyPI', added: 0, unchanged: count },
  ])
})
