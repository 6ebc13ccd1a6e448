import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Page } from '../../src/contract/app.ts'
import type { SearchHit } from '../../src/contract/inventory.ts'
import type { VulnerabilityDetail, VulnerabilityRow } from '../../src/contract/vulnerability.ts'
import { matchSbom } from '../../src/matching/match-sbom.ts'
import { addExploited, addRecord } from '../matching/records.ts'
import { addSbom, addVersion, debian, later, npm, type Part } from '../matching/scene.ts'
import { AppSession } from '../support/app-session.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startTestHttp, type TestHttp } from '../support/http.ts'
import { createScene, testNow, type TestWorkspace } from '../support/scene.ts'

let store: TestDatabase
let http: TestHttp
let owner: AppSession

async function upload(of: TestWorkspace, at: number, part: Part): Promise<void> {
  const family = { workspaceId: of.id, familyId: of.families[at]?.id ?? '' }
  const versionId = await addVersion(store.db, family, '1.0')
  const sbomId = await addSbom(store.db, family, { versionId, parts: [part], now: later(1) })
  await matchSbom(store.db, { workspaceId: of.id, sbomId, now: later(1) })
}

const inNpm = (name: string) => [
  { ecosystem: 'npm', name, scheme: 'semver' as const, ranges: [['0', '9.0.0']] as [string, string][] },
]
const inDebian = (name: string) => [
  {
    ecosystem: 'Debian',
    release: '12',
    name,
    scheme: 'dpkg' as const,
    ranges: [['0', '9.0-1']] as [string, string][],
  },
]

/** CVE-2024-0005 is known as a GHSA, has a record of a tracker, and stands in two notices, one of them on a second CVE. */
beforeAll(async () => {
  store = await createTestDatabase()
  http = await startTestHttp({ database: store, now: () => testNow })
  const [acme, umbrella] = await createScene(store.db)
  await addRecord(store.db, {
    id: 'GHSA-eeee-0005',
    group: 'CVE-2024-0005',
    aliases: ['CVE-2024-0005'],
    severity: 'medium',
    score: 5,
    affected: inNpm('kiwi'),
  })
  await addRecord(store.db, {
    id: 'UBUNTU-CVE-2024-0005',
    upstream: ['CVE-2024-0005'],
    affected: inDebian('cherry'),
  })
  await addRecord(store.db, {
    id: 'DSA-5-1',
    upstream: ['CVE-2024-0005', 'CVE-2024-0006'],
    severity: 'critical',
    affected: inDebian('cherry'),
  })
  await addRecord(store.db, {
    id: 'DSA-5-2',
    upstream: ['CVE-2024-0005', 'CVE-2024-0007'],
    affected: inDebian('elsewhere'),
  })
  await store.db
    .insertInto('epss')
    .values([
      { cve_id: 'CVE-2024-0005', score: 0.4, percentile: 0.9 },
      { cve_id: 'CVE-2024-0007', score: 0.8, percentile: 0.99 },
    ])
    .execute()
  for (const cveId of ['CVE-2024-0005', 'CVE-2024-0006'])
    await addExploited(store.db, { source: 'kev', cveId })
  await upload(acme, 0, npm('kiwi', '1.0.0'))
  await upload(acme, 1, debian('cherry', '1.0-1', '12'))
  await upload(umbrella, 0, debian('elsewhere', '1.0-1', '12'))
  owner = await AppSession.signIn(http.url, acme.members.owner)
})
afterAll(async () => {
  await http.stop()
  await store.drop()
})

async function describeOne(id: string): Promise<VulnerabilityDetail> {
  const answer = await owner.call(`/workspaces/acme/vulnerabilities/${id}`)
  expect(answer.status).toBe(200)
  return answer.body as VulnerabilityDetail
}

async function idsOf(query: string): Promise<string[]> {
  const answer = await owner.call(`/workspaces/acme/vulnerabilities${query}`)
  return (answer.body as Page<VulnerabilityRow>).rows.map(({ id }) => id).sort()
}

describe('the page of a vulnerability', () => {
  it('is one page over every record that names the CVE: aliases, trackers and notices of distributions', async () => {
    const detail = await describeOne('CVE-2024-0005')
    expect(detail).toMatchObject({
      id: 'CVE-2024-0005',
      aliases: ['GHSA-eeee-0005'],
      severity: 'medium',
      severitySource: 'GHSA-eeee-0005',
      epss: { score: expect.closeTo(0.4) as number },
      exploited: [{ id: 'CVE-2024-0005', direct: true }],
      affectedTotal: 3,
      families: 2,
      versions: 2,
      recordsTotal: 4,
    })
    expect(detail.records.map(({ recordId, relation }) => [recordId, relation])).toEqual([
      ['GHSA-eeee-0005', 'is'],
      ['UBUNTU-CVE-2024-0005', 'is_about'],
      ['DSA-5-1', 'names'],
      ['DSA-5-2', 'names'],
    ])
    expect(detail.affected.map(({ component, through }) => [component.name, through]).sort()).toEqual([
      ['cherry', 'DSA-5-1'],
      ['cherry', 'UBUNTU-CVE-2024-0005'],
      ['kiwi', 'CVE-2024-0005'],
    ])
  })

  it('has the same page under the ids of the records that are about it alone', async () => {
    const shown = async (id: string) => {
      const { affected, records, exploited } = await describeOne(id)
      return { affected, records: records.map(({ recordId }) => recordId), exploited }
    }
    const page = await shown('CVE-2024-0005')
    for (const id of ['UBUNTU-CVE-2024-0005', 'GHSA-eeee-0005']) expect(await shown(id)).toEqual(page)
  })

  it('shows of a notice on several CVEs what it lists, and nothing of the other records of those CVEs', async () => {
    const detail = await describeOne('DSA-5-1')
    expect(detail).toMatchObject({ id: 'DSA-5-1', aliases: [], affectedTotal: 1, recordsTotal: 1 })
    expect(detail.exploited.map(({ id }) => id)).toEqual(['CVE-2024-0005', 'CVE-2024-0006'])
  })

  it('shows of a CVE that only a notice lists the products of that notice, and its own catalogue entry alone', async () => {
    const detail = await describeOne('CVE-2024-0006')
    expect(detail).toMatchObject({
      id: 'CVE-2024-0006',
      aliases: [],
      affectedTotal: 1,
      exploited: [{ id: 'CVE-2024-0006' }],
      records: [{ recordId: 'DSA-5-1', relation: 'names' }],
    })
  })

  it.each([
    ['CVE-2024-0006', 'vulnerability CVE-2024-0006'],
    ['cve-2024-0005', 'vulnerability CVE-2024-0005'],
  ])('is found by the search for %s', async (words, hit) => {
    const { body } = await owner.call(`/workspaces/acme/search?q=${words}`)
    const { hits } = body as { hits: SearchHit[] }
    expect(hits.map(({ kind, label }) => `${kind} ${label}`)).toEqual([hit])
    expect(hits[0]?.detail).not.toContain('none of your products')
  })

  it.each([
    ['?search=CVE-2024-0006', ['DSA-5-1']],
    ['?search=cve-2024-0005', ['DSA-5-1', 'UBUNTU-CVE-2024-0005', 'CVE-2024-0005']],
  ])('lists by %s what records of distributions found', async (query, ids) => {
    expect(await idsOf(query)).toEqual(ids.sort())
  })
})
