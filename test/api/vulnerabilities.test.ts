import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Page } from '../../src/contract/page.ts'
import type { VulnerabilityDetail, VulnerabilityRow } from '../../src/contract/vulnerabilities/shapes.ts'
import { getVulnerability, listVulnerabilities } from '../../src/contract/vulnerabilities/operations.ts'
import { archiveFamily, restoreFamily } from '../../src/contract/products/operations.ts'
import type { QueryOf } from '../../src/contract/operation.ts'
import { matchSbom } from '../../src/findings/changes/match-sbom.ts'
import { addExploited, addRecord } from '../support/records.ts'
import { npm, type Part } from '../support/parts.ts'
import { addSbom, addVersion } from '../support/rows.ts'
import { endBoth } from '../support/http.ts'
import type { TestWorkspace } from '../support/scene.ts'
import { later } from '../support/clock.ts'
import { numberNear } from '../support/expected.ts'
import { openAppScene, type AppScene } from '../support/app-scene.ts'

let sbom: string

async function upload(of: TestWorkspace, at: number, parts: Part[], day: number): Promise<string> {
  const family = { workspaceId: of.id, familyId: of.families[at]?.id ?? '' }
  const versionId = await addVersion(store.db, family, `${day}.0`)
  const now = later(day * 24 * 60)
  const id = await addSbom(store.db, family, { versionId, parts, now })
  await matchSbom(store.db, { workspaceId: of.id, sbomId: id, now })
  return id
}

const affected = (name: string, fixed: string) => [
  { ecosystem: 'npm', name, scheme: 'semver' as const, ranges: [['0', fixed]] satisfies [string, string][] },
]

let { store, http, acme, umbrella, owner } = {} as AppScene
beforeAll(async () => {
  ;({ store, http, acme, umbrella, owner } = await openAppScene())
  await addRecord(store.db, {
    id: 'GHSA-aaaa-0001',
    group: 'CVE-2024-0001',
    aliases: ['CVE-2024-0001'],
    severity: 'high',
    score: 7.5,
    affected: affected('apple', '3.0.0'),
  })
  await addRecord(store.db, {
    id: 'GHSA-bbbb-0002',
    group: 'CVE-2024-0002',
    aliases: ['CVE-2024-0002'],
    severity: 'critical',
    score: 9.8,
    affected: affected('pear', '2.0.0'),
  })
  await addRecord(store.db, { id: 'GHSA-cccc-0003', severity: 'low', affected: affected('plum', '9.0.0') })
  await addRecord(store.db, {
    id: 'GHSA-dddd-0004',
    group: 'CVE-2024-0004',
    aliases: ['CVE-2024-0004'],
    affected: affected('fig', '9.0.0'),
  })
  await store.db
    .insertInto('epss')
    .values([
      { cve_id: 'CVE-2024-0001', score: 0.9, percentile: 0.99 },
      { cve_id: 'CVE-2024-0002', score: 0.1, percentile: 0.5 },
    ])
    .execute()
  await addExploited(store.db, { source: 'kev', cveId: 'CVE-2024-0001' })
  await store.db
    .insertInto('euvd_mapping')
    .values({ euvd_id: 'EUVD-2024-1', cve_id: 'CVE-2024-0001' })
    .execute()
  sbom = await upload(acme, 0, [npm('apple', '1.0.0'), npm('pear', '1.0.0')], 1)
  await upload(acme, 0, [npm('apple', '2.0.0')], 2)
  await upload(acme, 1, [npm('apple', '1.0.0'), npm('plum', '1.0.0', { basis: 'name' })], 3)
  await upload(umbrella, 0, [npm('fig', '1.0.0')], 1)
})
afterAll(() => endBoth(http, store))

const list = (query: QueryOf<typeof listVulnerabilities> = {}) => owner.call(listVulnerabilities, { query })
const idsOf = (page: Page<VulnerabilityRow>) => page.rows.map(({ id }) => id)

describe('the vulnerabilities of a workspace', () => {
  it('counts families and versions, and takes the surest grade and the first time seen', async () => {
    const page = await list()
    expect(page).toMatchObject({ total: 3, findings: 5, nextCursor: null })
    expect(page.rows[0]).toEqual({
      id: 'CVE-2024-0001',
      summary: 'Summary of CVE-2024-0001',
      malware: false,
      severity: 'high',
      score: 7.5,
      epss: { score: numberNear(0.9), percentile: numberNear(0.99) },
      exploitedBy: ['kev'],
      families: 2,
      versions: 3,
      findings: 3,
      grade: 'exact',
      firstSeenAt: later(24 * 60).toISOString(),
    })
    expect(page.rows[2]).toMatchObject({ id: 'GHSA-cccc-0003', grade: 'possible', epss: null })
  })

  it.each([
    ['', ['CVE-2024-0001', 'CVE-2024-0002', 'GHSA-cccc-0003']],
    ['?sort=severity', ['CVE-2024-0002', 'CVE-2024-0001', 'GHSA-cccc-0003']],
    ['?sort=epss', ['CVE-2024-0001', 'CVE-2024-0002', 'GHSA-cccc-0003']],
    ['?sort=newest', ['GHSA-cccc-0003', 'CVE-2024-0002', 'CVE-2024-0001']],
    ['?sort=affected', ['CVE-2024-0001', 'CVE-2024-0002', 'GHSA-cccc-0003']],
    ['?severity=critical', ['CVE-2024-0002']],
    ['?exploited=any', ['CVE-2024-0001']],
    ['?exploited=euvd', []],
    ['?grade=possible', ['GHSA-cccc-0003']],
    ['?search=ghsa-BBBB', ['CVE-2024-0002']],
    ['?search=%25', []],
    ['?search=CVE-2024-0004', []],
  ])('%s → %j', async (query, ids) => {
    const asked = { query: Object.fromEntries(new URLSearchParams(query)) }
    expect(idsOf(await owner.call(listVulnerabilities, asked))).toEqual(ids)
  })

  it('narrows to a family of its own', async () => {
    expect(idsOf(await list({ family: acme.families[1]?.id }))).toEqual(['CVE-2024-0001', 'GHSA-cccc-0003'])
    expect(idsOf(await list({ family: umbrella.families[0]?.id }))).toEqual([])
    expect((await owner.refused(listVulnerabilities, { query: { family: 'x' } })).status).toBe(400)
    expect((await owner.refused(listVulnerabilities, { query: { sort: 'size' } })).status).toBe(400)
    expect((await owner.refused(listVulnerabilities, { query: { cursor: 'abc' } })).status).toBe(400)
  })
})

async function describeOne(id: string): Promise<VulnerabilityDetail> {
  return owner.call(getVulnerability, { params: { vulnerability: id } })
}

describe('one vulnerability', () => {
  it.each(['CVE-2024-0001', 'cve-2024-0001', 'GHSA-aaaa-0001', 'ghsa-AAAA-0001', 'EUVD-2024-1'])(
    'is found by %s',
    async (id) => {
      const { id: title, ...detail } = await describeOne(id)
      expect(title.toLowerCase()).toBe(id.toLowerCase())
      expect(detail).toMatchObject({
        severity: 'high',
        affectedTotal: 3,
        exploited: [{ id: 'CVE-2024-0001' }],
      })
    },
  )

  it('says what it affects, which match is exact and exploited, and what the sources say', async () => {
    const detail = await describeOne('CVE-2024-0001')
    expect(detail).toMatchObject({
      aliases: ['GHSA-aaaa-0001'],
      severitySource: 'GHSA-aaaa-0001',
      families: 2,
      versions: 3,
      affectedTotal: 3,
      exploited: [{ catalogue: 'kev', id: 'CVE-2024-0001', listedOn: '2025-12-01', direct: true }],
      records: [
        {
          recordId: 'GHSA-aaaa-0001',
          aliases: ['CVE-2024-0001'],
          withdrawnAt: null,
          references: [{ type: 'ADVISORY', url: 'https://advisories.example/GHSA-aaaa-0001' }],
          ranges: [{ package: 'apple', introduced: '0', fixed: '3.0.0', lastAffected: null }],
          rangesTotal: 1,
        },
      ],
    })
    expect(detail.affected).toHaveLength(3)
    expect(detail.affected.find(({ version }) => version === '1.0')).toMatchObject({
      family: { name: 'Pump 1' },
      sbomId: sbom,
      component: { name: 'apple', version: '1.0.0', purl: 'pkg:npm/apple@1.0.0' },
      grade: 'exact',
      exploitedBy: ['kev'],
      exploitedExactly: true,
      fixedIn: '3.0.0',
      otherFixes: [],
    })
    const possible = await describeOne('GHSA-cccc-0003')
    expect(possible.affected).toMatchObject([{ grade: 'possible', exploitedExactly: false }])
  })

  it('affects nothing here when only another workspace has it', async () => {
    expect(await describeOne('CVE-2024-0004')).toMatchObject({ affected: [], affectedTotal: 0, families: 0 })
    expect(
      (await owner.refused(getVulnerability, { params: { vulnerability: 'CVE-1999-9999' } })).status,
    ).toBe(404)
  })

  it('leaves archived families out', async () => {
    const params = { family: acme.families[1]?.id }
    await owner.call(archiveFamily, { params })
    expect(await describeOne('CVE-2024-0001')).toMatchObject({ families: 1, affectedTotal: 2 })
    expect(idsOf(await list())).toEqual(['CVE-2024-0001', 'CVE-2024-0002'])
    await owner.call(restoreFamily, { params })
  })
})
