import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { selectCoverage } from '../../src/inventory/coverage/coverage.ts'
import { toResultCoverage } from '../../src/inventory/coverage/coverage-states.ts'
import { selectWorkspaceCoverage } from '../../src/inventory/coverage/workspace-coverage.ts'
import { takeInventory } from '../../src/findings/inventory/take-inventory.ts'
import { importVulnerabilityData } from '../../src/vulndata/import.ts'
import { recordError, recordNewData } from '../../src/vulndata/ledger/outcomes.ts'
import { listSources } from '../../src/vulndata/source-states.ts'
import { byCpe, npm } from '../support/parts.ts'
import { addFamily, addSbom, addWorkspace } from '../support/rows.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { emptyStore, folderOf, importDeps, mirrorOf, record, wholeFile } from './support.ts'
import { later, testNow } from '../support/clock.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
beforeEach(() => emptyStore(database.db))
afterAll(() => database.drop())

const records = [record('OSV-2025-1', 'npm/one'), record('OSV-2025-2', 'npm/two')]
const lines = records.map((each) => JSON.stringify(each)).join('\n')
const feed = JSON.stringify({
  resultsPerPage: 1,
  format: 'NVD_CVE',
  version: '2.0',
  vulnerabilities: [{ cve: { id: 'CVE-2025-1000', lastModified: '2025-05-01T00:00:00.000' } }],
})
const files = {
  'two.ndjson': lines,
  'folder/OSV-2025-1.json': JSON.stringify(records[0]),
  'folder/OSV-2025-2.json': JSON.stringify(records[1]),
  'npm/all.zip': wholeFile(records),
  'nvdcve-2.0-2025.json': feed,
}

const load = (path: string, order: { isComplete?: boolean; at?: Date } = {}) =>
  importVulnerabilityData(importDeps(database.db), {
    from: join(folderOf(files), path),
    isComplete: order.isComplete ?? false,
    now: order.at ?? testNow,
  })

const state = async (name: string) => (await listSources(database.db)).find((source) => source.name === name)

describe('an import by hand', () => {
  test.each<[path: string, isComplete: boolean, source: string, isWhole: boolean]>([
    ['two.ndjson', false, 'osv:npm', false],
    ['two.ndjson', true, 'osv:npm', true],
    ['folder', false, 'osv:npm', false],
    ['folder', true, 'osv:npm', true],
    ['folder/OSV-2025-1.json', false, 'osv:npm', false],
    ['npm/all.zip', false, 'osv:npm', true],
    ['npm', false, 'osv:npm', true],
    ['nvdcve-2.0-2025.json', false, 'nvd', false],
    ['nvdcve-2.0-2025.json', true, 'nvd', true],
  ])('of %s, declared complete: %s', async (path, isComplete, source, isWhole) => {
    await load(path, { isComplete })
    expect(await state(source)).toMatchObject({ isWhole, lastSuccessAt: testNow, lastError: null })
  })

  test('of a mirror is whole', async () => {
    const from = folderOf(mirrorOf('npm', records))
    await importVulnerabilityData(importDeps(database.db), { from, now: testNow })
    expect(await state('osv:npm')).toMatchObject({ isWhole: true })
  })

  test('of some records makes a whole source neither partial nor newer', async () => {
    await load('npm/all.zip')
    const before = await state('osv:npm')
    await load('two.ndjson', { at: later(60) })
    expect(await state('osv:npm')).toEqual(before)
  })

  test('that is declared complete withdraws what it lacks', async () => {
    const many = Array.from({ length: 20 }, (_, index) => record(`OSV-2025-${index}`, `npm/p${index}`))
    const of = (list: typeof many) =>
      folderOf({ 'all.ndjson': list.map((r) => JSON.stringify(r)).join('\n') })
    const order = (list: typeof many) => ({
      from: join(of(list), 'all.ndjson'),
      isComplete: true,
      now: testNow,
    })
    await importVulnerabilityData(importDeps(database.db), order(many))
    expect(await importVulnerabilityData(importDeps(database.db), order(many.slice(1)))).toMatchObject([
      { withdrawn: 1 },
    ])
  })
})

test('components of a source that is loaded in part are not covered: not in an SBOM, not in the workspace, not in results', async () => {
  const workspaceId = await addWorkspace(database.db, 'acme')
  const family = await addFamily(database.db, workspaceId, 'pump')
  const sbomId = await addSbom(database.db, family, { parts: [npm('one', '1.0.0'), npm('three', '1.0.0')] })
  await takeInventory(database.db, { workspaceId, sboms: [{ sbomId, components: 1 }] })
  const nothing = {
    covered: 0,
    notCovered: 0,
    noVersion: 0,
    uncomparable: 0,
    releaseUnknown: 0,
    noSource: 0,
    sourceUnknown: 0,
  }
  const coverage = async () => {
    const ofSbom = await selectCoverage(database.db, { workspaceId, sbomId })
    const { coverage: ofAll, reasons } = await selectWorkspaceCoverage(database.db, workspaceId, testNow)
    expect(ofAll).toEqual(ofSbom)
    return { ofSbom, result: toResultCoverage(ofSbom), reasons: reasons.map((reason) => reason.state) }
  }
  expect(await coverage()).toEqual({
    ofSbom: { ...nothing, dataNotLoaded: 2, partlyLoaded: 0 },
    result: { ...nothing, dataNotLoaded: 2 },
    reasons: ['dataNotLoaded'],
  })
  await load('two.ndjson')
  expect(await coverage()).toEqual({
    ofSbom: { ...nothing, dataNotLoaded: 0, partlyLoaded: 2 },
    result: { ...nothing, dataNotLoaded: 2 },
    reasons: ['partlyLoaded'],
  })
  await load('npm/all.zip')
  expect(await coverage()).toEqual({
    ofSbom: { ...nothing, covered: 2, dataNotLoaded: 0, partlyLoaded: 0 },
    result: { ...nothing, covered: 2, dataNotLoaded: 0 },
    reasons: [],
  })
})

test('a product named by CPE is covered once all sources that name products are there whole', async () => {
  const { db } = database
  const workspaceId = await addWorkspace(db, 'globex')
  const family = await addFamily(db, workspaceId, 'pump')
  const sbomId = await addSbom(db, family, { parts: [byCpe('curl', '8.5.0')] })
  await takeInventory(db, { workspaceId, sboms: [{ sbomId, components: 1 }] })
  const loaded = (name: string, isWhole: boolean) =>
    recordNewData(
      db,
      { name, address: null, now: testNow },
      isWhole ? { recordCount: 1, isWhole } : { recordCount: 1 },
    )
  const stateOfIt = async () => {
    const ofSbom = await selectCoverage(db, { workspaceId, sbomId })
    expect((await selectWorkspaceCoverage(db, workspaceId, testNow)).coverage).toEqual(ofSbom)
    return Object.entries(ofSbom).find(([, count]) => count > 0)?.[0]
  }
  expect(await stateOfIt()).toBe('dataNotLoaded')
  await loaded('vulnrichment', true)
  expect(await stateOfIt()).toBe('dataNotLoaded')
  await loaded('nvd', false)
  expect(await stateOfIt()).toBe('dataNotLoaded')
  await loaded('cve-list', false)
  expect(await stateOfIt()).toBe('partlyLoaded')
  // NVD names products for few of the new CVEs, the CVE List for few of the old ones
  await loaded('cve-list', true)
  expect(await stateOfIt()).toBe('partlyLoaded')
  await loaded('nvd', true)
  expect(await stateOfIt()).toBe('covered')
})

test('the migration knows what an earlier release had loaded whole', async () => {
  const { db } = database
  const load = (name: string) => recordNewData(db, { name, address: null, now: testNow }, { recordCount: 1 })
  for (const name of ['osv:npm', 'osv-reconcile:npm', 'osv:Go', 'vulnrichment', 'kev', 'nvd'])
    await load(name)
  await recordError(db, { name: 'eukev', address: null, now: testNow }, 'refused')
  const update = /^update [\s\S]*/m.exec(
    readFileSync('database/migrations/0010_whole_sources.sql', 'utf8'),
  )?.[0]
  const whole = async () => {
    await sql.raw(update ?? '').execute(db)
    return (await listSources(db)).filter((source) => source.isWhole).map((source) => source.name)
  }
  expect(await whole()).toEqual(['kev', 'osv:npm'])
  for (let year = 2002; year < 2026; year += 1) await load(`nvd-year:${year}`)
  expect(await whole()).toEqual(['kev', 'nvd', 'osv:npm'])
})
