import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { VulnerabilityDetail, VulnerabilityRecord } from '../../src/contract/vulnerabilities/shapes.ts'
import { getVulnerability } from '../../src/contract/vulnerabilities/operations.ts'
import { getFinding } from '../../src/contract/findings/operations.ts'
import { matchSbom } from '../../src/findings/changes/match-sbom.ts'
import { importVulnerabilityData } from '../../src/vulndata/import.ts'
import { npm } from '../support/parts.ts'
import { addSbom } from '../support/rows.ts'
import { AppSession } from '../support/app-session.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { endBoth, startTestHttp, type TestHttp } from '../support/http.ts'
import { createScene } from '../support/scene.ts'
import { folderOf, importDeps, record } from '../vulndata/support.ts'
import { later, testNow } from '../support/clock.ts'

const cve = 'CVE-2024-1000'
const undated = { baseScore: 7.5, baseScoreVersion: '3.1', aliases: cve }

let store: TestDatabase
let http: TestHttp
let owner: AppSession

/** Records of one CVE: an advisory, an advisory dated year 1, two EUVD records, one withdrawn advisory without a date. */
beforeAll(async () => {
  store = await createTestDatabase()
  http = await startTestHttp({ database: store, now: () => testNow })
  const [acme] = await createScene(store.db)
  const files = {
    'GHSA-aaaa.json': record('GHSA-aaaa-1', 'npm/kiwi', { aliases: [cve] }),
    'GHSA-bbbb.json': record('GHSA-bbbb-1', 'npm/kiwi', {
      aliases: [cve],
      modified: '0001-01-01T00:00:00Z',
      published: '0001-01-01T00:00:00Z',
    }),
    'GHSA-cccc.json': record('GHSA-cccc-1', 'npm/kiwi', {
      aliases: [cve],
      modified: 'unknown',
      withdrawn: 'unknown',
    }),
    'euvd-1.json': { id: 'EUVD-2024-1', ...undated },
    'euvd-2.json': { id: 'EUVD-2024-2', ...undated, dateUpdated: 'May 2, 2024, 1:00:00 PM' },
  }
  const texts = Object.fromEntries(Object.entries(files).map(([name, file]) => [name, JSON.stringify(file)]))
  await importVulnerabilityData(importDeps(store.db), { from: folderOf(texts), now: testNow })
  const family = { workspaceId: acme.id, familyId: acme.families[0]?.id ?? '' }
  const sbomId = await addSbom(store.db, family, { parts: [npm('kiwi', '1.0.0')] })
  await matchSbom(store.db, { workspaceId: acme.id, sbomId, now: later(1) })
  owner = await AppSession.signIn(http.url, acme.members.owner)
})
afterAll(() => endBoth(http, store))

async function describeOne(id: string): Promise<VulnerabilityDetail> {
  return owner.call(getVulnerability, { params: { vulnerability: id } })
}

const times = ({ publishedAt, modifiedAt, isWithdrawn, withdrawnAt }: VulnerabilityRecord) => [
  publishedAt,
  modifiedAt,
  isWithdrawn,
  withdrawnAt,
]

it('a record that gives no date has none, also when it is withdrawn', async () => {
  const { records } = await describeOne(cve)
  expect(Object.fromEntries(records.map((told) => [told.recordId, times(told)]))).toEqual({
    'GHSA-aaaa-1': [null, '2025-06-01T00:00:00.000Z', false, null],
    'GHSA-bbbb-1': [null, null, false, null],
    'GHSA-cccc-1': [null, null, true, null],
    'EUVD:EUVD-2024-1': [null, null, false, null],
    'EUVD:EUVD-2024-2': [null, expect.stringMatching(/^2024-05-0/), false, null],
  })
})

it('other names of a vulnerability are those that are known outside', async () => {
  expect((await describeOne(cve)).aliases).toEqual([
    'EUVD-2024-1',
    'EUVD-2024-2',
    'GHSA-aaaa-1',
    'GHSA-bbbb-1',
  ])
})

it('an id of EUVD leads to the page of its CVE', async () => {
  const { id, aliases, affectedTotal } = await describeOne('euvd-2024-2')
  expect({ id, aliases, affectedTotal }).toEqual({
    id: 'EUVD-2024-2',
    aliases: [cve, 'EUVD-2024-1', 'GHSA-aaaa-1', 'GHSA-bbbb-1'],
    affectedTotal: 1,
  })
})

it('the evidence of a finding has no date where the record gives none', async () => {
  const { rows } = await sql<{ id: string }>`select id from finding`.execute(store.db)
  const { records } = await owner.call(getFinding, { params: { finding: rows[0]?.id } })
  expect(records.map(({ recordId, modifiedAt }) => [recordId, modifiedAt])).toEqual([
    ['GHSA-aaaa-1', '2025-06-01T00:00:00.000Z'],
    ['GHSA-bbbb-1', null],
  ])
})
