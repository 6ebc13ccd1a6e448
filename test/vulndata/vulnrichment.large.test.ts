import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { matchIdentities } from '../../src/matching/match-identities.ts'
import { importVulnerabilityData } from '../../src/vulndata/import.ts'
import { RefusedData } from '../../src/source-files/refused-data.ts'
import { listSources } from '../../src/vulndata/source-states.ts'
import { addIdentity } from '../support/parts.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { emptyStore, folderOf, importDeps, storedRecords, takeJobs, zipOf } from './support.ts'
import { testNow } from '../support/clock.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
beforeEach(() => emptyStore(database.db))
afterAll(() => database.drop())

const pump = 'cpe:2.3:a:acme:pump'
const id = 'CVE-2025-1000'

const affected = (lessThan: string) => [
  { cpes: [`${pump}:-`], versions: [{ version: '0', lessThan, status: 'affected' }] },
]

/** The statements of CISA and the CNA on a CVE: the first unaffected version. */
function cveRecord(cveId: string, { cisa, cna, state }: { cisa?: string; cna?: string; state?: string }) {
  return JSON.stringify({
    dataType: 'CVE_RECORD',
    dataVersion: '5.1',
    cveMetadata: { cveId, state: state ?? 'PUBLISHED', dateUpdated: '2025-04-03T20:53:22.977Z' },
    containers: {
      cna: { affected: cna === undefined ? [] : affected(cna) },
      adp: [
        {
          providerMetadata: { shortName: 'CISA-ADP' },
          affected: cisa === undefined ? [] : affected(cisa),
        },
      ],
    },
  })
}

const configurations = (versionEndExcluding: string) => [
  { nodes: [{ operator: 'OR', cpeMatch: [{ vulnerable: true, criteria: pump, versionEndExcluding }] }] },
]

/** An NVD feed with one entry: with the first unaffected version, without configurations, or rejected. */
function feed(fixed: string | null, change: Record<string, unknown> = {}): string {
  const parts = fixed === null ? {} : { configurations: configurations(fixed) }
  const cve = { id, lastModified: '2025-05-01T00:00:00.000', ...parts, ...change }
  return JSON.stringify({ resultsPerPage: 1, format: 'NVD_CVE', version: '2.0', vulnerabilities: [{ cve }] })
}

const override = (fixed: string) =>
  JSON.stringify({ _annotation: { cve_id: id }, cve: { configurations: configurations(fixed) } })

const load = (name: string, content: string | Buffer) =>
  importVulnerabilityData(importDeps(database.db), {
    from: join(folderOf({ [name]: content }), name),
    now: testNow,
  })

async function ranges(): Promise<string[]> {
  const { rows } = await sql<{ range: string }>`
    select v.source || ' < ' || r.upper_text as range
    from affected_range r join vulnerability v on v.id = r.vulnerability_id order by 1`.execute(database.db)
  return rows.map((row) => row.range)
}

test.each<[string, string]>([
  ['one file', 'main/2025/1xxx/CVE-2025-1000.json'],
  ['a folder', 'main'],
  ['a zip file', 'main.zip'],
])('an operator imports vulnrichment, %s', async (_, path) => {
  const files = {
    'main/2025/1xxx/CVE-2025-1000.json': cveRecord(id, { cisa: '2.0' }),
    'main/2025/1xxx/CVE-2025-1001.json': cveRecord('CVE-2025-1001', { cna: '3.0' }),
    'main/assets/schema.json': JSON.stringify({ $schema: 'https://x.example', $id: 'https://y.example' }),
    'main/.github/notes.json': 'what is written here is nothing of ours',
  }
  const folder = folderOf({ ...files, 'main.zip': zipOf(files) })
  const records = path.endsWith('.json') ? 1 : 2
  const order = { from: join(folder, path), now: testNow }
  const deps = importDeps(database.db)
  expect(await importVulnerabilityData(deps, order)).toMatchObject([
    { source: 'vulnrichment', records, added: records, matchJobs: 1 },
  ])
  expect(await ranges()).toEqual(['vulnrichment < 2.0', 'vulnrichment < 3.0'].slice(0, records))
  expect(await listSources(database.db)).toMatchObject([{ name: 'vulnrichment', recordCount: records }])
  expect(await importVulnerabilityData(deps, order)).toMatchObject([{ unchanged: records, matchJobs: 0 }])
})

describe('of NVD, overrides, CISA and the CNA', () => {
  const cisa: [string, string] = ['cve.json', cveRecord(id, { cisa: '2.0', cna: '3.0' })]
  const cna: [string, string] = ['cve.json', cveRecord(id, { cna: '3.0' })]
  test.each<[rule: string, files: [string, string][], expected: string[]]>([
    ['NVD alone counts', [cisa, ['feed.json', feed('1.0')]], ['nvd < 1.0']],
    [
      'NVD without configurations leaves it to CISA',
      [cisa, ['feed.json', feed(null)]],
      ['vulnrichment < 2.0'],
    ],
    ['without CISA it is the CNA', [cna, ['feed.json', feed(null)]], ['vulnrichment < 3.0']],
    ['an override alone counts', [cisa, ['over.json', override('1.5')]], ['nvd-overrides < 1.5']],
    [
      'an override counts beside NVD, as without vulnrichment',
      [cisa, ['over.json', override('1.5')], ['feed.json', feed('1.0')]],
      ['nvd < 1.0', 'nvd-overrides < 1.5'],
    ],
    [
      'what NVD rejects nobody brings back',
      [cisa, ['feed.json', feed(null, { vulnStatus: 'Rejected' })]],
      [],
    ],
    [
      'what is rejected contributes nothing',
      [['cve.json', cveRecord(id, { cisa: '2.0', state: 'REJECTED' })]],
      [],
    ],
  ])('%s, in either order', async (_, files, expected) => {
    for (const [name, text] of files) await load(name, text)
    expect(await ranges()).toEqual(expected)
    const once = await storedRecords(database.db)
    await emptyStore(database.db)
    for (const [name, text] of files.toReversed()) await load(name, text)
    expect(await storedRecords(database.db)).toEqual(once)
  })

  test('the lesser ones come and go with what NVD says later, and components are matched again', async () => {
    const order = async (name: string, text: string) => {
      await takeJobs(database.db)
      await load(name, text)
      return [await ranges(), (await takeJobs(database.db)).map((job) => job.payload)]
    }
    const again = [{ packageKeys: ['cpe\u001fa:acme:pump'] }]
    await load('feed.json', feed(null))
    expect(await order(...cisa)).toEqual([['vulnrichment < 2.0'], again])
    expect(await order('feed.json', feed('1.0'))).toEqual([['nvd < 1.0'], again])
    // a change nobody sees matches nothing again
    expect(await order('cve.json', cveRecord(id, { cisa: '2.5' }))).toEqual([['nvd < 1.0'], []])
    expect(await order('feed.json', feed(null))).toEqual([['vulnrichment < 2.5'], again])
    expect(await order('cve.json', cveRecord(id, { state: 'REJECTED' }))).toEqual([[], again])
  })
})

test('a record that names no products by CPE is not stored; one that no longer does stays, without ranges', async () => {
  await load('cve.json', cveRecord(id, {}))
  expect(await storedRecords(database.db)).toEqual([])
  await load('cve.json', cveRecord(id, { cisa: '2.0' }))
  await load('cve.json', cveRecord(id, {}))
  expect(await storedRecords(database.db)).toHaveLength(1)
  expect(await ranges()).toEqual([])
})

test('a component named by CPE is matched by the record, which says whose it is, in the group of the CVE', async () => {
  await load('feed.json', feed(null))
  await load('cve.json', cveRecord(id, { cisa: '2.0' }))
  const part = {
    ecosystem: 'cpe',
    name: 'a:acme:pump',
    version: '1.5',
    scheme: 'generic',
    basis: 'cpe',
  } as const
  const identityId = await addIdentity(database.db, part)
  await matchIdentities(database.db, [identityId], { now: testNow })
  const { rows } = await sql`
    select v.record_id, v.source, m.grade, g.title_id
    from identity_match m
    join vulnerability v on v.id = m.vulnerability_id
    join vulnerability_group g on g.id = v.group_id`.execute(database.db)
  expect(rows).toEqual([
    { record_id: `CISA-VULNRICHMENT:${id}`, source: 'vulnrichment', grade: 'exact', title_id: id },
  ])
})

test.each<[string, string]>([
  ['no JSON', '{"dataType": "CVE_RECORD", '],
  ['no CVE', cveRecord('x', {})],
  ['another format', cveRecord(id, {}).replace('5.1', '4.0')],
  ['no record', '{}'],
])('a file with %s refuses the whole import and changes nothing', async (_, broken) => {
  await load('cve.json', cveRecord(id, { cisa: '2.0' }))
  const before = [await storedRecords(database.db), await listSources(database.db)]
  await takeJobs(database.db)
  const files = { 'a.json': cveRecord(id, { cisa: '9.0' }), 'b.json': broken }
  await expect(load('main.zip', zipOf(files))).rejects.toThrow(RefusedData)
  expect([await storedRecords(database.db), await listSources(database.db)]).toEqual(before)
  expect(await takeJobs(database.db)).toEqual([])
})
