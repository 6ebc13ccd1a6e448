import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getSbom, listComponents, listFindings } from '../../src/contract/sbom/operations.ts'
import { getFamily, getFamilyHistory, listFamilies } from '../../src/contract/products/operations.ts'
import {
  getVulnerability,
  listExploited,
  listVulnerabilities,
} from '../../src/contract/vulnerabilities/operations.ts'
import { getCoverage, listComponentUses } from '../../src/contract/inventory/operations.ts'
import { listSources } from '../../src/contract/sources/operations.ts'
import { decideFindings } from '../../src/findings/verdicts/decide-findings.ts'
import { matchSbom } from '../../src/findings/changes/match-sbom.ts'
import { addExploited, addRecord } from '../support/records.ts'
import { npm, type Part } from '../support/parts.ts'
import { addSbom, addVersion } from '../support/rows.ts'
import { endBoth } from '../support/http.ts'
import { later, testNow } from '../support/clock.ts'
import { anyText } from '../support/expected.ts'
import { openAppScene, type AppScene } from '../support/app-scene.ts'

let first: string
let second: string
let replaced: string

const day = (days: number) => later(days * 24 * 60)
const family = () => ({ workspaceId: acme.id, familyId: acme.families[0]?.id ?? '' })

async function upload(versionId: string | null, parts: Part[], days: number): Promise<string> {
  const id = await addSbom(store.db, family(), { versionId, parts, now: day(days) })
  await matchSbom(store.db, { workspaceId: acme.id, sbomId: id, now: day(days) })
  return id
}

/** Two versions with the same three vulnerable packages, one of them twice; in the second, `pear` is declared not affected. */
let { store, http, acme, owner } = {} as AppScene
beforeAll(async () => {
  ;({ store, http, acme, owner } = await openAppScene({ switchedOff: ['osv', 'kev'] }))
  for (const [name, severity, cve] of [
    ['apple', 'high', 'CVE-2024-1001'],
    ['pear', 'critical', 'CVE-2024-1002'],
    ['plum', 'low', 'CVE-2024-1003'],
  ] as const) {
    await addRecord(store.db, {
      id: `GHSA-${name}`,
      group: cve,
      aliases: [cve],
      severity,
      affected: [{ ecosystem: 'npm', name, scheme: 'semver', ranges: [['0', '2.0.0']] }],
    })
  }
  await addExploited(store.db, { source: 'kev', cveId: 'CVE-2024-1003' })
  await store.db
    .updateTable('exploited')
    .set({
      entry: JSON.stringify({
        kev: {
          name: 'Exploited',
          listedOn: '2025-12-01',
          raw: {
            dueDate: '2026-01-15',
            requiredAction: 'Apply the update.',
            knownRansomwareCampaignUse: 'Known',
          },
        },
      }),
    })
    .execute()
  const parts = [npm('apple', '1.0.0'), npm('pear', '1.0.0'), npm('plum', '1.0.0'), npm('apple', '1.5.0')]
  first = await upload(await addVersion(store.db, family(), '1.0'), parts, 1)
  const versionId = await addVersion(store.db, family(), '2.0')
  await store.db
    .updateTable('product_version')
    .set({ created_at: day(2) })
    .where('id', '=', versionId)
    .execute()
  replaced = await upload(versionId, parts.slice(0, 1), 2)
  second = await upload(versionId, parts, 3)
  const { rows } = await owner.call(listFindings, { params: { sbom: second }, query: { search: 'pear' } })
  await decideFindings(
    store.db,
    {
      workspaceId: acme.id,
      actor: { kind: 'person', id: acme.members.owner.id, name: 'Olga' },
      now: day(5),
    },
    {
      findingIds: rows.map(({ id }) => id),
      verdict: 'not_affected',
      comment: 'It is never called.',
      everyVersion: false,
    },
  )
})
afterAll(() => endBoth(http, store))

describe('seven open findings of three vulnerabilities', () => {
  it('are counted so by lists, dashboards, families, versions and over time', async () => {
    const families = await owner.call(listFamilies)
    expect(families.rows.find(({ name }) => name === 'Pump 1')).toMatchObject({
      findings: { total: 7, vulnerabilities: 3, exploited: 2, notAffected: 1 },
    })
    const detail = await owner.call(getFamily, { params: { family: family().familyId } })
    expect(detail.findings).toMatchObject({ total: 7, vulnerabilities: 3 })
    expect(
      detail.versions.map(({ name, findings: { total, vulnerabilities } }) => [name, total, vulnerabilities]),
    ).toEqual([
      ['2.0', 3, 2],
      ['1.0', 4, 3],
    ])
    const list = await owner.call(listVulnerabilities)
    expect(list).toMatchObject({ total: 3, findings: 7, hidden: 0 })
    expect(list.rows.map(({ id, findings }) => [id, findings])).toEqual([
      ['CVE-2024-1003', 2],
      ['CVE-2024-1002', 1],
      ['CVE-2024-1001', 4],
    ])
    const { days } = await owner.call(getFamilyHistory, { params: { family: family().familyId } })
    expect(days).toEqual([
      { day: '2026-01-02', opened: 4, reopened: 0, closed: 0, settled: 0, open: 4 },
      { day: '2026-01-03', opened: 1, reopened: 0, closed: 0, settled: 0, open: 5 },
      { day: '2026-01-04', opened: 3, reopened: 0, closed: 0, settled: 0, open: 8 },
      { day: '2026-01-06', opened: 0, reopened: 0, closed: 0, settled: 1, open: 7 },
    ])
  })

  it('are the three of the second version on its own page', async () => {
    const sbom = await owner.call(getSbom, { params: { sbom: second } })
    expect(sbom.findings).toMatchObject({ total: 3, vulnerabilities: 2, exploited: 1, notAffected: 1 })
    const list = await owner.call(listFindings, { params: { sbom: second } })
    expect(list).toMatchObject({ total: 3, vulnerabilities: 2, exploited: 1, hidden: 1 })
    const components = await owner.call(listComponents, { params: { sbom: second } })
    expect(components.rows.reduce((sum, { findings }) => sum + findings, 0)).toBe(3)
    const uses = await owner.call(listComponentUses)
    expect(uses.rows.reduce((sum, { findings }) => sum + findings, 0)).toBe(7)
  })

  it('are told by the page of a vulnerability, which leaves the declared one out of its counts', async () => {
    expect(await owner.call(getVulnerability, { params: { vulnerability: 'CVE-2024-1002' } })).toMatchObject({
      affectedTotal: 2,
      settledTotal: 1,
      versions: 1,
    })
  })
})

describe('what to fix first', () => {
  it('lists the exploited vulnerabilities with component, products, fix and age', async () => {
    const list = await owner.call(listExploited)
    expect(list).toMatchObject({ total: 1, vulnerabilities: 1, findings: 2 })
    expect(list.rows).toEqual([
      {
        id: 'CVE-2024-1003',
        summary: 'Summary of CVE-2024-1003',
        severity: 'low',
        score: null,
        epss: null,
        exploitedBy: ['kev'],
        dueOn: '2026-01-15',
        component: { name: 'plum', version: '1.0.0', purl: 'pkg:npm/plum@1.0.0' },
        grade: 'exact',
        fixedIn: '2.0.0',
        otherFixes: [],
        families: 1,
        versions: 2,
        products: ['1.0', '2.0'].map((version) => ({
          findingId: anyText,
          familyId: family().familyId,
          family: 'Pump 1',
          version,
        })),
        firstSeenAt: day(1).toISOString(),
      },
    ])
  })

  it('shows of a catalogue entry what it asks for', async () => {
    const { exploited } = await owner.call(getVulnerability, { params: { vulnerability: 'CVE-2024-1003' } })
    expect(exploited).toMatchObject([
      { catalogue: 'kev', dueOn: '2026-01-15', requiredAction: 'Apply the update.', ransomware: 'known' },
    ])
  })
})

describe('the SBOM that changes are told from', () => {
  it.each([
    ['the version that arrived before', () => second, () => first],
    ['of a replaced one as well', () => replaced, () => first],
  ])('is %s', async (_name, of, previous) => {
    expect((await owner.call(getSbom, { params: { sbom: of() } })).previous).toMatchObject({ id: previous() })
  })

  it('is the one it replaced where no version came before, and nothing for the first', async () => {
    expect((await owner.call(getSbom, { params: { sbom: first } })).previous).toBeNull()
    const versionId = await store.db
      .selectFrom('sbom')
      .select('version_id')
      .where('id', '=', first)
      .executeTakeFirstOrThrow()
    const again = await upload(versionId.version_id, [npm('apple', '1.0.0'), npm('fig', '1.0.0')], 6)
    await store.db.updateTable('sbom').set({ replaced_by: again }).where('id', '=', first).execute()
    expect((await owner.call(getSbom, { params: { sbom: again } })).previous).toMatchObject({ id: first })
  })
})

describe('before anything is called clean', () => {
  it('says which sources are switched off and that no data is loaded', async () => {
    const { data } = await owner.call(getCoverage)
    expect(data).toEqual({ records: false, catalogues: false, switchedOff: ['OSV', 'CISA KEV'] })
    expect((await owner.call(listSources)).switchedOff).toEqual(['OSV', 'CISA KEV'])
    const { rows: families } = await owner.call(listFamilies)
    expect(families.map(({ judged }) => judged.covered)).toEqual([0, 0])
  })

  it('counts a family as judged when loaded data decides about a component of it', async () => {
    const source = {
      address: null,
      last_attempt_at: testNow,
      last_success_at: testNow,
      last_error: null,
      is_whole: true,
    }
    for (const name of ['osv:npm', 'kev']) {
      await store.db
        .insertInto('data_source')
        .values({ name, ...source, watermark: null, content_hash: null })
        .execute()
    }
    const { rows: families } = await owner.call(listFamilies)
    expect(families.map(({ name, judged }) => [name, judged.covered > 0])).toEqual([
      ['Pump 1', true],
      ['Pump 2', false],
    ])
    expect((await owner.call(getCoverage)).data).toMatchObject({
      records: true,
      catalogues: true,
    })
  })
})
