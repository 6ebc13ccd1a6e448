import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import type { VulnerabilityDetail } from '../../src/contract/vulnerabilities/shapes.ts'
import { getVulnerability, listVulnerabilities } from '../../src/contract/vulnerabilities/operations.ts'
import { searchWorkspace } from '../../src/contract/inventory/operations.ts'
import { decideFindings } from '../../src/contract/findings/operations.ts'
import { matchSbom } from '../../src/findings/changes/match-sbom.ts'
import { addExploited, addRecord } from '../support/records.ts'
import { debian, npm, type Part } from '../support/parts.ts'
import { addSbom, addVersion } from '../support/rows.ts'
import { AppSession } from '../support/app-session.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { endBoth, startTestHttp, type TestHttp } from '../support/http.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { later, testNow } from '../support/clock.ts'
import { numberNear } from '../support/expected.ts'

let store: TestDatabase
let http: TestHttp
let owner: AppSession
let acme: TestWorkspace

async function upload(of: TestWorkspace, at: number, ...parts: Part[]): Promise<void> {
  await uploadAs('1.0', of, at, ...parts)
}

async function uploadAs(version: string, of: TestWorkspace, at: number, ...parts: Part[]): Promise<void> {
  const family = { workspaceId: of.id, familyId: of.families[at]?.id ?? '' }
  const versionId = await addVersion(store.db, family, version)
  const sbomId = await addSbom(store.db, family, { versionId, parts, now: later(1) })
  await matchSbom(store.db, { workspaceId: of.id, sbomId, now: later(1) })
}

const inNpm = (name: string) => [
  {
    ecosystem: 'npm',
    name,
    scheme: 'semver' as const,
    ranges: [['0', '9.0.0']] satisfies [string, string][],
  },
]
const inDebian = (name: string) => [
  {
    ecosystem: 'Debian',
    release: '12',
    name,
    scheme: 'dpkg' as const,
    ranges: [['0', '9.0-1']] satisfies [string, string][],
  },
]

/** CVE-2024-0005 has a GHSA alias, a record of a tracker, and two notices; one of them names a second CVE. */
beforeAll(async () => {
  store = await createTestDatabase()
  http = await startTestHttp({ database: store, now: () => testNow })
  const scene = await createScene(store.db)
  acme = scene[0]
  const umbrella = scene[1]
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
  await addRecord(store.db, { id: 'OTHER-1', severity: 'low', affected: inNpm('plum') })
  await store.db
    .insertInto('epss')
    .values([
      { cve_id: 'CVE-2024-0005', score: 0.4, percentile: 0.9 },
      { cve_id: 'CVE-2024-0007', score: 0.8, percentile: 0.99 },
    ])
    .execute()
  for (const cveId of ['CVE-2024-0005', 'CVE-2024-0006'])
    await addExploited(store.db, { source: 'kev', cveId })
  await upload(acme, 0, npm('kiwi', '1.0.0'), npm('plum', '1.0.0'))
  await upload(acme, 1, debian('cherry', '1.0-1', '12'))
  await upload(umbrella, 0, debian('elsewhere', '1.0-1', '12'))
  owner = await AppSession.signIn(http.url, acme.members.owner)
})
afterAll(() => endBoth(http, store))

async function describeOne(id: string): Promise<VulnerabilityDetail> {
  return owner.call(getVulnerability, { params: { vulnerability: id } })
}

async function idsOf(query: string): Promise<string[]> {
  const { rows } = await owner.call(listVulnerabilities, {
    query: Object.fromEntries(new URLSearchParams(query)),
  })
  return rows.map(({ id }) => id).sort()
}

describe('the page of a vulnerability', () => {
  it('is one page over every record that names the CVE: aliases, trackers and notices of distributions', async () => {
    const detail = await describeOne('CVE-2024-0005')
    expect(detail).toMatchObject({
      id: 'CVE-2024-0005',
      aliases: ['GHSA-eeee-0005'],
      severity: 'medium',
      severitySource: 'GHSA-eeee-0005',
      epss: { score: numberNear(0.4) },
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
    const { hits } = await owner.call(searchWorkspace, { query: { q: words } })
    expect(hits.map(({ kind, label }) => `${kind} ${label}`)).toEqual([hit])
    expect(hits[0]?.detail).not.toContain('none of your products')
  })

  it.each([
    ['?search=CVE-2024-0006', ['CVE-2024-0006']],
    ['?search=cve-2024-0005', ['CVE-2024-0005']],
    ['?search=DSA-5-1', ['CVE-2024-0005', 'CVE-2024-0006']],
    ['?search=ghsa-eeee', ['CVE-2024-0005']],
    ['?search=UBUNTU-CVE-2024-0005', ['CVE-2024-0005']],
    ['?search=CVE-2024-0007', []],
    ['?search=kiwi', ['CVE-2024-0005']],
    ['?search=CHERRY', ['CVE-2024-0005', 'CVE-2024-0006']],
    ['?search=elsewhere', []],
  ])('lists by %s the CVEs that records of distributions name', async (query, ids) => {
    expect(await idsOf(query)).toEqual(ids)
  })
})

describe('the list of vulnerabilities', () => {
  it('has one row for each CVE over every group that names it, and counts each finding once', async () => {
    const { rows, total, findings } = await owner.call(listVulnerabilities)
    expect(
      rows.map(({ id, severity, epss, ...row }) => [
        ...[id, severity, epss === null ? null : Number(epss.score.toFixed(2)), row.exploitedBy],
        ...[row.findings, row.versions, row.families],
      ]),
    ).toEqual([
      ['CVE-2024-0006', 'critical', null, ['kev'], 1, 1, 1],
      ['CVE-2024-0005', 'medium', 0.4, ['kev'], 3, 2, 2],
      ['OTHER-1', 'low', null, [], 1, 1, 1],
    ])
    expect([total, findings]).toEqual([3, 4])
  })

  it('has the counts of the page that each row leads to', async () => {
    const { rows } = await owner.call(listVulnerabilities)
    expect(rows.length).toBeGreaterThan(1)
    for (const { id, findings, versions, families, severity } of rows) {
      const detail = await describeOne(id)
      expect({ ...detail, findings: detail.affectedTotal - detail.settledTotal }).toMatchObject({
        id,
        findings,
        versions,
        families,
        severity,
      })
    }
  })

  it('says of a CVE only what a catalogue says of this one', async () => {
    const mark = (at: Date | null) =>
      store.db
        .updateTable('exploited')
        .set({ removed_at: at })
        .where('cve_id', '=', 'CVE-2024-0006')
        .execute()
    await mark(testNow)
    const exploited = (await owner.call(listVulnerabilities, { query: { exploited: 'any' } })).rows.map(
      ({ id }) => id,
    )
    await mark(null)
    expect(exploited).toEqual(['CVE-2024-0005'])
  })

  it('hides a CVE only when every finding of it is declared', async () => {
    const findingOf = async (title: string) => {
      const { rows } = await sql<{ id: string }>`
        select f.id from finding f join vulnerability_group g on g.id = f.group_id where g.title_id = ${title}
          and f.workspace_id = ${acme.id}`.execute(store.db)
      return rows.map(({ id }) => id)
    }
    const declare = async (title: string) =>
      owner.ask(decideFindings, {
        body: {
          findingIds: await findingOf(title),
          verdict: 'not_affected',
          justification: 'vulnerable_code_not_present',
          everyVersion: false,
          comment: '',
        },
      })
    expect((await declare('DSA-5-1')).status).toBeLessThan(300)
    const after = await owner.call(listVulnerabilities)
    expect(after.rows.map(({ id, findings }) => [id, findings])).toEqual([
      ['CVE-2024-0005', 2],
      ['OTHER-1', 1],
    ])
    expect([after.total, after.hidden, after.findings]).toEqual([2, 1, 3])
    const all = await owner.call(listVulnerabilities, { query: { verdict: 'all' } })
    expect([all.total, all.hidden, all.findings]).toEqual([3, 0, 4])
  })

  it('and its page are of unknown severity where only a notice on what is not in use here has one', async () => {
    await addRecord(store.db, {
      id: 'GHSA-ffff-0008',
      group: 'CVE-2024-0008',
      aliases: ['CVE-2024-0008'],
      severity: 'unknown',
      affected: inNpm('fig'),
    })
    const notice = { severity: 'critical', affected: inDebian('elsewhere') } as const
    await addRecord(store.db, { ...notice, id: 'DSA-8-1', upstream: ['CVE-2024-0008', 'CVE-2024-0009'] })
    await addRecord(store.db, { ...notice, id: 'DSA-8-2', upstream: ['CVE-2024-0008'] })
    await uploadAs('2.0', acme, 0, npm('fig', '1.0.0'))
    const { rows } = await owner.call(listVulnerabilities, { query: { search: 'CVE-2024-0008' } })
    const page = await describeOne('CVE-2024-0008')
    expect([...rows, page].map(({ id, severity }) => [id, severity])).toEqual(
      [1, 2].map(() => ['CVE-2024-0008', 'unknown']),
    )
    expect(page.recordsTotal).toBe(3)
  })

  it('and its page have the severity of the notice about it alone, where it has none itself', async () => {
    const notice = { affected: inDebian('plum') }
    await addRecord(store.db, {
      ...notice,
      id: 'DSA-10-1',
      upstream: ['CVE-2024-0010', 'CVE-2024-0011'],
      severity: 'low',
    })
    await addRecord(store.db, { ...notice, id: 'DSA-10-2', upstream: ['CVE-2024-0010'], severity: 'high' })
    await uploadAs('3.0', acme, 0, debian('plum', '1.0-1', '12'))
    const { rows } = await owner.call(listVulnerabilities, { query: { search: 'CVE-2024-0010' } })
    const page = await describeOne('CVE-2024-0010')
    expect([...rows, page].map(({ id, severity }) => [id, severity])).toEqual(
      [1, 2].map(() => ['CVE-2024-0010', 'high']),
    )
  })
})
