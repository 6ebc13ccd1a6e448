import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findingSorts } from '../../src/contract/findings/lists.ts'
import { selectCoverage } from '../../src/inventory/coverage/coverage.ts'
import { describeVulnerability } from '../../src/vulnerabilities/describe-vulnerability.ts'
import { explainFinding } from '../../src/vulnerabilities/evidence/explain-finding.ts'
import { listVulnerabilities } from '../../src/vulnerabilities/list-vulnerabilities.ts'
import { matchSbom } from '../../src/findings/changes/match-sbom.ts'
import { countFindingsOfSbom, countFindingsOfVersions } from '../../src/findings/reads/count-findings.ts'
import { listFindings, type FindingQuery } from '../../src/findings/reads/list-findings.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { addExploited, addRecord } from '../support/records.ts'
import { debian, npm, type Part } from '../support/parts.ts'
import { addFamily, addSbom, addVersion, addWorkspace, type Family } from '../support/rows.ts'
import { later, testNow } from '../support/clock.ts'
import { anyText, numberNear } from '../support/expected.ts'

let database: TestDatabase
let family: Family
let sbomId: string

async function upload(
  into: Family,
  parts: Part[],
  versionId: string | null = null,
  now = testNow,
): Promise<string> {
  const id = await addSbom(database.db, into, { versionId, parts, now })
  await matchSbom(database.db, { workspaceId: into.workspaceId, sbomId: id, now })
  return id
}

beforeAll(async () => {
  database = await createTestDatabase()
  family = await addFamily(database.db, await addWorkspace(database.db, 'acme'), 'Pump')
  const affected = (name: string, fixed: string | null) => [
    {
      ecosystem: 'npm',
      name,
      scheme: 'semver' as const,
      ranges: [
        ['0', '1.10.0'],
        ['2.0.0', fixed],
      ] satisfies [string, string | null][],
    },
  ]
  await addRecord(database.db, {
    id: 'GHSA-crit',
    group: 'CVE-2024-0001',
    aliases: ['CVE-2024-0001'],
    severity: 'critical',
    score: 9.8,
    affected: affected('apple', '2.9.0'),
  })
  await addRecord(database.db, {
    id: 'OTHER-crit',
    group: 'CVE-2024-0001',
    severity: 'critical',
    score: 9.8,
    affected: [{ ecosystem: 'npm', name: 'apple', scheme: 'semver', ranges: [['0', '1.9.0']] }],
  })
  await addRecord(database.db, {
    id: 'GHSA-high',
    severity: 'high',
    score: 7.5,
    affected: affected('apple', null),
  })
  const pear = affected('pear', null)
  await addRecord(database.db, { id: 'GHSA-higher', severity: 'high', score: 8.1, affected: pear })
  await addRecord(database.db, {
    id: 'GHSA-note',
    recordClass: 'informational',
    severity: 'unknown',
    affected: pear,
  })
  await addRecord(database.db, {
    id: 'MAL-2024-1',
    recordClass: 'malware',
    severity: 'unknown',
    affected: affected('10%_pure', null),
  })
  await addExploited(database.db, { source: 'kev', cveId: 'CVE-2024-0001' })
  sbomId = await upload(family, [
    npm('apple', '1.0.0'),
    npm('pear', '2.5.0'),
    npm('10%_pure', '1.0.0'),
    npm('clean', '1.0.0'),
    npm('apple', '', { decidability: 'no_version' }),
    debian('bash', '5.1', null),
    { ecosystem: null, name: 'firmware', version: '1', scheme: null, decidability: 'not_covered' },
    npm('odd', 'x', { decidability: 'uncomparable' }),
  ])
})
afterAll(() => database.drop())

const list = (query: Partial<FindingQuery> = {}) =>
  listFindings(database.db, { workspaceId: family.workspaceId, sbomId, ...query })

async function titles(query: Partial<FindingQuery> = {}): Promise<string[]> {
  return (await list(query)).rows.map(
    (row) => `${row.title} ${row.component.name} ${row.component.version ?? '-'}`,
  )
}

describe('the findings of an SBOM', () => {
  it('come with everything a row shows', async () => {
    const { rows, nextCursor, ...totals } = await list()
    expect(totals).toEqual({ total: 7, hidden: 0, exploited: 2, vulnerabilities: 5, through: null })
    expect(nextCursor).toBeNull()
    expect(rows.find(({ component }) => component.name === 'apple' && component.version === '1.0.0')).toEqual(
      {
        id: anyText,
        title: 'CVE-2024-0001',
        verdict: null,
        verdictSource: null,
        summary: 'Summary of CVE-2024-0001',
        severity: 'critical',
        score: numberNear(9.8, 5),
        epss: null,
        exploitedBy: ['kev'],
        grade: 'exact',
        class: 'vulnerability',
        directDependency: null,
        component: { name: 'apple', version: '1.0.0', purl: 'pkg:npm/apple@1.0.0', scope: null },
        occurrences: 1,
        fixedIn: '1.9.0',
        otherFixes: ['1.10.0'],
        firstSeenAt: '2026-01-01T00:00:00.000Z',
      },
    )
  })

  it.each<[FindingQuery['sort'], string[]]>([
    [
      undefined,
      [
        'MAL-2024-1 10%_pure 1.0.0',
        'CVE-2024-0001 apple 1.0.0',
        'CVE-2024-0001 apple -',
        'GHSA-high apple 1.0.0',
        'GHSA-high apple -',
        'GHSA-higher pear 2.5.0',
        'GHSA-note pear 2.5.0',
      ],
    ],
    [
      'severity',
      [
        'MAL-2024-1 10%_pure 1.0.0',
        'CVE-2024-0001 apple 1.0.0',
        'CVE-2024-0001 apple -',
        'GHSA-higher pear 2.5.0',
        'GHSA-high apple 1.0.0',
        'GHSA-high apple -',
        'GHSA-note pear 2.5.0',
      ],
    ],
    [
      'component',
      [
        'MAL-2024-1 10%_pure 1.0.0',
        'CVE-2024-0001 apple 1.0.0',
        'CVE-2024-0001 apple -',
        'GHSA-high apple 1.0.0',
        'GHSA-high apple -',
        'GHSA-higher pear 2.5.0',
        'GHSA-note pear 2.5.0',
      ],
    ],
    [
      'title',
      [
        'CVE-2024-0001 apple 1.0.0',
        'CVE-2024-0001 apple -',
        'GHSA-high apple 1.0.0',
        'GHSA-high apple -',
        'GHSA-higher pear 2.5.0',
        'GHSA-note pear 2.5.0',
        'MAL-2024-1 10%_pure 1.0.0',
      ],
    ],
  ])('sorted by %s', async (sort, expected) => {
    const found = await titles({ sort })
    // Rows of one vulnerability on one component name are in the order of their ids.
    const withoutVersion = (rows: string[]) => rows.map((row) => row.replace(/ [^ ]+$/, ''))
    expect(withoutVersion(found)).toEqual(withoutVersion(expected))
    expect([...found].sort()).toEqual([...expected].sort())
  })

  it.each<[string, Partial<FindingQuery>, number]>([
    ['severity', { severity: 'high' }, 3],
    ['grade exact', { grade: 'exact' }, 4],
    ['grade possible', { grade: 'possible' }, 3],
    ['exploited by any catalogue', { exploited: 'any' }, 2],
    ['exploited by CISA KEV', { exploited: 'kev' }, 2],
    ['exploited by EUVD', { exploited: 'euvd' }, 0],
    ['class malware', { recordClass: 'malware' }, 1],
    ['class informational', { recordClass: 'informational' }, 1],
    ['search in a component name', { search: 'PEA' }, 2],
    ['search in a title', { search: 'cve-2024' }, 2],
    ['search for a record behind the title', { search: 'OTHER-crit' }, 2],
    ['search with the wildcards of SQL', { search: '10%_' }, 1],
    ['search with a wildcard that nothing holds', { search: 'a%e' }, 0],
    ['search for nothing', { search: '  ' }, 7],
    ['several filters', { severity: 'critical', grade: 'exact', search: 'apple' }, 1],
  ])('filtered by %s', async (_name, query, expected) => {
    const { rows, total } = await list(query)
    expect(rows).toHaveLength(expected)
    expect(total).toBe(expected)
  })

  it.each([...findingSorts])('page by page, sorted by %s', async (sort) => {
    const many = await addFamily(database.db, family.workspaceId, `Many ${sort}`)
    const parts = Array.from({ length: 130 }, (_, patch) => npm('apple', `1.0.${patch}`))
    const id = await upload(many, parts)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await list({ sbomId: id, sort, cursor })
      expect(page.total).toBe(260)
      seen.push(...page.rows.map((row) => row.id))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(seen).toHaveLength(260)
    expect(new Set(seen).size).toBe(260)
    expect(seen.slice(0, 100)).toEqual((await list({ sbomId: id, sort })).rows.map((row) => row.id))
  })

  it('newest first', async () => {
    const growing = await addFamily(database.db, family.workspaceId, 'Growing')
    await upload(growing, [npm('apple', '1.0.0')])
    const id = await upload(growing, [npm('apple', '1.0.0'), npm('pear', '1.0.0')], null, later(60))
    expect((await titles({ sbomId: id, sort: 'newest' })).map((title) => title.split(' ')[1])).toEqual([
      'pear',
      'pear',
      'apple',
      'apple',
    ])
  })

  it('carry the highest EPSS score among the CVEs of the vulnerability, and sort by it', async () => {
    await addRecord(database.db, {
      id: 'ERRATUM-1',
      upstream: ['CVE-2024-0002', 'CVE-2024-0003'],
      affected: [{ ecosystem: 'npm', name: 'plum', scheme: 'semver', ranges: [['0', null]] }],
    })
    await addRecord(database.db, {
      id: 'BUNDLE-1',
      bundles: ['CVE-2024-0002', 'CVE-2024-0003'],
      affected: [{ ecosystem: 'npm', name: 'plum', scheme: 'semver', ranges: [['0', null]] }],
    })
    await database.db
      .insertInto('epss')
      .values([
        { cve_id: 'CVE-2024-0001', score: 0.25, percentile: 0.5 },
        { cve_id: 'CVE-2024-0002', score: 0.125, percentile: 0.25 },
        { cve_id: 'CVE-2024-0003', score: 0.75, percentile: 0.875 },
      ])
      .execute()
    const scored = await addFamily(database.db, family.workspaceId, 'Scored')
    const id = await upload(scored, [npm('plum', '1.0.0'), npm('apple', '1.0.0')])
    const { rows } = await list({ sbomId: id, sort: 'epss' })
    expect(rows.map((row) => [row.title, row.epss])).toEqual([
      ['ERRATUM-1', { score: 0.75, percentile: 0.875 }],
      ['CVE-2024-0001', { score: 0.25, percentile: 0.5 }],
      ['BUNDLE-1', null],
      ['GHSA-high', null],
    ])
    const detail = await explainFinding(database.db, {
      workspaceId: family.workspaceId,
      findingId: rows[0]?.id ?? '',
      now: testNow,
    })
    expect(detail.epss).toEqual({ score: 0.75, percentile: 0.875 })
    const { workspaceId, familyId } = scored
    const vulnerabilities = await listVulnerabilities(database.db, {
      workspaceId,
      familyId,
      verdict: 'open',
      sort: 'epss',
    })
    // one row for each CVE, whatever records name it
    expect(vulnerabilities.rows.map(({ id, epss }) => [id, epss])).toEqual([
      ['CVE-2024-0003', { score: 0.75, percentile: 0.875 }],
      ['CVE-2024-0001', { score: 0.25, percentile: 0.5 }],
      ['CVE-2024-0002', { score: 0.125, percentile: 0.25 }],
      ['GHSA-high', null],
    ])
    const page = await describeVulnerability(database.db, workspaceId, 'ERRATUM-1', testNow)
    expect(page.epss).toEqual({ score: 0.75, percentile: 0.875 })
    await database.db.deleteFrom('epss').execute()
  })

  it('refuse a cursor of another list', async () => {
    await expect(list({ cursor: 'nonsense' })).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('are not shown to another workspace', async () => {
    const other = await addWorkspace(database.db, 'other')
    const nothing = { total: 0, hidden: 0, exploited: 0, vulnerabilities: 0, through: null }
    expect(await list({ workspaceId: other })).toEqual({ rows: [], nextCursor: null, ...nothing })
    expect((await countFindingsOfSbom(database.db, { workspaceId: other, sbomId })).total).toBe(0)
    const strangers = { workspaceId: other, familyIds: [family.familyId] }
    expect((await countFindingsOfVersions(database.db, strangers)).versions).toEqual([])
  })

  it('of a replaced SBOM are those it shares with the one in its place', async () => {
    const changing = await addFamily(database.db, family.workspaceId, 'Changing')
    const first = await upload(changing, [npm('apple', '1.0.0'), npm('pear', '1.0.0')])
    const second = await upload(changing, [npm('apple', '1.0.0')], null, later(1))
    expect((await list({ sbomId: first })).total).toBe(2)
    expect((await list({ sbomId: second })).total).toBe(2)
  })
})

describe('counts', () => {
  it('of an SBOM by severity, grade and exploitation', async () => {
    expect(await countFindingsOfSbom(database.db, { workspaceId: family.workspaceId, sbomId })).toEqual({
      total: 7,
      vulnerabilities: 5,
      malware: 1,
      exploited: 2,
      notAffected: 0,
      fixed: 0,
      bySeverity: { critical: 2, high: 3, medium: 0, low: 0, none: 0, unknown: 2 },
      grades: { exact: 4, possible: 3 },
    })
  })

  it('of the versions of a workspace and of a family', async () => {
    const { workspaceId } = family
    const two = await addFamily(database.db, workspaceId, 'Two')
    const versionId = await addVersion(database.db, two, '1.0')
    await upload(two, [npm('apple', '1.0.0')], versionId)
    await upload(two, [npm('apple', '1.9.5')])
    const ofFamily = await countFindingsOfVersions(database.db, { workspaceId, familyIds: [two.familyId] })
    expect(
      ofFamily.versions.map(({ versionId: of, findings: { total, vulnerabilities, exploited } }) => [
        of,
        total,
        vulnerabilities,
        exploited,
      ]),
    ).toEqual([
      [versionId, 2, 2, 1],
      [null, 2, 2, 1],
    ])
    expect(ofFamily.vulnerabilitiesOf(two.familyId)).toBe(2)
    const familyIds = [family.familyId, two.familyId]
    const ofWorkspace = await countFindingsOfVersions(database.db, { workspaceId, familyIds })
    expect(ofWorkspace.versions).toEqual(expect.arrayContaining(ofFamily.versions))
    expect(ofWorkspace.versions.length).toBeGreaterThan(2)
  })
})

describe('coverage', () => {
  it('says why components could not be decided', async () => {
    const key = { workspaceId: family.workspaceId, sbomId }
    const undecided = { notCovered: 1, noVersion: 1, uncomparable: 1, releaseUnknown: 1 }
    const nothing = {
      ...undecided,
      covered: 0,
      dataNotLoaded: 0,
      partlyLoaded: 0,
      noSource: 0,
      sourceUnknown: 0,
    }
    expect(await selectCoverage(database.db, key)).toEqual({ ...nothing, dataNotLoaded: 4 })
    await database.db
      .insertInto('data_source')
      .values({
        name: 'osv:npm',
        address: null,
        last_attempt_at: testNow,
        last_success_at: testNow,
        last_error: null,
        watermark: null,
        content_hash: null,
      })
      .execute()
    expect(await selectCoverage(database.db, key)).toEqual({ ...nothing, partlyLoaded: 4 })
    await database.db.updateTable('data_source').set({ is_whole: true }).execute()
    expect(await selectCoverage(database.db, key)).toEqual({ ...nothing, covered: 4 })
  })

  it('of another workspace is empty', async () => {
    const other = await addWorkspace(database.db, 'third')
    expect(Object.values(await selectCoverage(database.db, { workspaceId: other, sbomId }))).toEqual(
      Array.from({ length: 9 }, () => 0),
    )
  })
})
