import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { identify } from '../../src/identities/identify.ts'
import { thing } from '../../src/identities/identity-table.ts'
import { matchIdentities } from '../../src/matching/match-identities.ts'
import { regroup } from '../../src/vulndata/store/groups.ts'
import { compileCve, type CompiledCve } from '../../src/records/nvd/compile-cve.ts'
import { nvdDocuments } from '../../src/records/nvd/feed-documents.ts'
import { compileRecord } from '../../src/records/osv/compile-record.ts'
import { parseDocument } from '../../src/source-files/documents.ts'
import { inImportTransaction } from '../../src/vulndata/ledger/import-lock.ts'
import { prepare } from '../../src/vulndata/records/prepared-record.ts'
import { noRecordChanges, storeRecords } from '../../src/vulndata/store/store-records.ts'
import { addIdentity, type Part } from '../support/parts.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { asImportOf, record } from './support.ts'
import { testNow } from '../support/clock.ts'
import { noSurroundings } from '../../src/identities/surroundings.ts'

let database: TestDatabase
let folder: string

const cve = (id: string, cpeMatch: Record<string, unknown>[], more: Record<string, unknown> = {}) => ({
  cve: {
    id,
    lastModified: '2025-04-03T20:53:22.977',
    vulnStatus: 'Analyzed',
    descriptions: [{ lang: 'en', value: `About ${id}` }],
    configurations: [{ nodes: [{ operator: 'OR', negate: false, cpeMatch }] }],
    ...more,
  },
})
const match = (criteria: string, bounds: Record<string, string> = {}) => ({
  vulnerable: true,
  criteria,
  ...bounds,
})
const pump = 'cpe:2.3:a:acme:pump:*:*:*:*:*:*:*:*'

const entries = [
  cve('CVE-2025-1000', [match(pump, { versionStartExcluding: '1.0', versionEndExcluding: '2.0' })]),
  cve('CVE-2025-1001', [match('cpe:2.3:a:acme:pump:1.5:p2:*:*:*:*:*:*')]),
  cve('CVE-2025-1002', [match(pump, { versionEndExcluding: '9' })], { vulnStatus: 'Rejected' }),
  cve('CVE-2025-1003', [match('cpe:2.3:h:acme:board:-:*:*:*:*:*:*:*')]),
  cve('CVE-2025-1004', [match('cpe:2.3:a:acme:form:*:*:*:*:*:wordpress:*:*', { versionEndExcluding: '3' })]),
  cve('CVE-2025-1005', [match('cpe:2.3:a:acme:form:*:*:*:*:*:*:*:*', { versionEndExcluding: '2' })]),
  cve('CVE-2025-1006', [match('cpe:2.3:a:acme:lamp:*:*:*:*:*:*:*:*')]),
  cve('CVE-2025-1007', [
    match('cpe:2.3:a:acme:valve:*:*:*:*:pro:*:*:*', { versionEndExcluding: '2' }),
    match('cpe:2.3:a:acme:valve:*:*:*:*:*:*:*:*', { versionEndExcluding: '1' }),
  ]),
]

beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'nvd-store-'))
  const path = join(folder, 'feed.json')
  const envelope = { resultsPerPage: entries.length, format: 'NVD_CVE', version: '2.0' }
  await writeFile(path, JSON.stringify({ ...envelope, vulnerabilities: entries }))
  const records: CompiledCve[] = []
  for await (const document of nvdDocuments(path).read()) {
    records.push(compileCve(parseDocument(document).value, document.name))
  }
  const osv = record('GHSA-aaaa-bbbb-cccc', 'npm/pump', { aliases: ['CVE-2025-1000'] })
  const text = JSON.stringify(osv)
  const changes = noRecordChanges()
  await inImportTransaction(database.db, asImportOf('records'), async (tx) => {
    await storeRecords(
      tx,
      { records: [...records, compileRecord(osv, text, 'osv')].map(prepare), ecosystem: null, now: testNow },
      changes,
    )
    await regroup(tx, changes.regroup, { fresh: changes.freshGroups })
  })
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

async function matched(cpe: string, own: string | null = null): Promise<string[]> {
  const named = { cpe, version: own }
  const { packageKey, version, stream, decidability, basis } = identify(thing(named), noSurroundings)
  const name = packageKey?.split('\u001f')[1] ?? ''
  const part: Part = { ecosystem: 'cpe', name, version, scheme: 'generic', stream, basis }
  if (decidability === 'not_covered') throw new Error(`${cpe} is not covered`)
  const id = await addIdentity(database.db, { ...part, decidability })
  await matchIdentities(database.db, [id], { now: testNow })
  const { rows } = await sql<{ record: string; grade: string }>`
    select v.record_id as record, concat_ws(' ', m.grade, m.grade_reason) as grade
    from identity_match m join vulnerability v on v.id = m.vulnerability_id
    where m.identity_id = ${id} order by 1`.execute(database.db)
  return rows.map((row) => `${row.record} ${row.grade}`)
}

describe('NVD entries in the store', () => {
  it.each([
    ['cpe:2.3:a:acme:pump:1.0', []],
    ['cpe:2.3:a:acme:pump:1.0.0', []],
    ['cpe:2.3:a:acme:pump:1.0:p1', ['NVD:CVE-2025-1000 exact']],
    ['cpe:2.3:a:acme:pump:1.5-patch2', ['NVD:CVE-2025-1000 exact', 'NVD:CVE-2025-1001 exact']],
    ['cpe:2.3:a:acme:pump:2.0:rc1', ['NVD:CVE-2025-1000 exact']],
    ['cpe:2.3:a:acme:pump:2.0', []],
    [
      'cpe:2.3:a:acme:pump:*',
      ['NVD:CVE-2025-1000 possible guessed_cpe', 'NVD:CVE-2025-1001 possible guessed_cpe'],
    ],
    ['cpe:2.3:a:acme:pump:trunk', []],
    ['cpe:2.3:h:acme:board:-', ['NVD:CVE-2025-1003 possible guessed_cpe']],
    ['cpe:2.3:h:acme:board:1.0', []],
    // one of the two states the product's platform
    ['cpe:2.3:a:acme:form:1.0', ['NVD:CVE-2025-1004 possible target', 'NVD:CVE-2025-1005 exact']],
    ['cpe:2.3:a:acme:form:1.0:*:*:*:*:wordpress', ['NVD:CVE-2025-1004 exact', 'NVD:CVE-2025-1005 exact']],
    ['cpe:2.3:a:acme:form:1.0:*:*:*:*:node.js', ['NVD:CVE-2025-1005 exact']],
    ['cpe:2.3:a:acme:form:*:*:*:*:*:node.js', ['NVD:CVE-2025-1005 possible guessed_cpe']],
    ['cpe:2.3:a:acme:lamp:1.0', ['NVD:CVE-2025-1006 possible any_version']],
    ['cpe:2.3:a:acme:valve:1.5', ['NVD:CVE-2025-1007 possible edition']],
    // of two ranges the one without doubt decides
    ['cpe:2.3:a:acme:valve:0.5', ['NVD:CVE-2025-1007 exact']],
  ])('%s', async (cpe, expected) => {
    expect(await matched(cpe)).toEqual(expected)
  })

  it('match only possibly by a CPE that leaves the version to the component', async () => {
    const pump = 'cpe:2.3:a:acme:pump'
    expect(await matched(`${pump}:*`, '1.6')).toEqual(['NVD:CVE-2025-1000 possible guessed_cpe'])
    expect(await matched(`${pump}:1.6`, '9')).toEqual(['NVD:CVE-2025-1000 exact'])
  })

  it('share a group with the records of other databases on the CVE, under its id', async () => {
    const { rows } = await sql<{ title: string; members: string[] }>`
      select g.title_id as title, array_agg(v.record_id order by v.record_id) as members
      from vulnerability v join vulnerability_group g on g.id = v.group_id
      group by g.id order by 1`.execute(database.db)
    expect(rows).toEqual([
      { title: 'CVE-2025-1000', members: ['GHSA-aaaa-bbbb-cccc', 'NVD:CVE-2025-1000'] },
      { title: 'CVE-2025-1001', members: ['NVD:CVE-2025-1001'] },
      ...[1003, 1004, 1005, 1006, 1007].map((number) => ({
        title: `CVE-2025-${number}`,
        members: [`NVD:CVE-2025-${number}`],
      })),
      { title: 'NVD:CVE-2025-1002', members: ['NVD:CVE-2025-1002'] },
    ])
  })
})
