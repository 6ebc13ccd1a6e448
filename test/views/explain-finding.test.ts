import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Value } from 'typebox/value'
import { FindingDetail } from '../../src/contract/findings/shapes.ts'
import { explainFinding } from '../../src/vulnerabilities/evidence/explain-finding.ts'
import { matchSbom } from '../../src/findings/changes/match-sbom.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { addExploited, addRecord } from '../support/records.ts'
import { debian, maven, npm, rpm, type Part } from '../support/parts.ts'
import { addFamily, addSbom, addWorkspace, type Family } from '../support/rows.ts'
import { testNow } from '../support/clock.ts'
import { textWith } from '../support/expected.ts'

let database: TestDatabase
let family: Family
let count = 0

beforeAll(async () => {
  database = await createTestDatabase()
  family = await addFamily(database.db, await addWorkspace(database.db, 'acme'), 'Pump')
})
afterAll(() => database.drop())

/** Uploads only this component and explains its only finding. */
async function explained(part: Part): Promise<FindingDetail> {
  count += 1
  const own = await addFamily(database.db, family.workspaceId, `Family ${count}`)
  const sbomId = await addSbom(database.db, own, { parts: [part] })
  await matchSbom(database.db, { workspaceId: family.workspaceId, sbomId, now: testNow })
  const { id } = await database.db
    .selectFrom('finding')
    .select('id')
    .where('family_id', '=', own.familyId)
    .executeTakeFirstOrThrow()
  const detail = await explainFinding(database.db, {
    workspaceId: family.workspaceId,
    findingId: id,
    now: testNow,
  })
  expect(Value.Check(FindingDetail, detail)).toBe(true)
  return detail
}

describe('a finding in a range', () => {
  const log4j = 'org.apache.logging.log4j:log4j-core'
  let detail: FindingDetail

  beforeAll(async () => {
    await addRecord(database.db, {
      id: 'GHSA-jfh8-c2jp-5v3q',
      group: 'CVE-2021-44228',
      aliases: ['CVE-2021-44228'],
      severity: 'critical',
      score: 10,
      affected: [
        {
          ecosystem: 'Maven',
          name: log4j,
          scheme: 'maven',
          ranges: [
            ['2.13.0', '2.15.0'],
            ['2.4', '2.12.2'],
            ['2.0-beta9', '2.3.1'],
          ],
        },
        { ecosystem: 'Maven', name: 'another:package', scheme: 'maven', ranges: [['0', '9.9']] },
      ],
      document: {
        id: 'GHSA-jfh8-c2jp-5v3q',
        modified: '2026-01-01T00:00:00Z',
        references: [
          { type: 'ADVISORY', url: 'https://advisories.example/1' },
          { type: 'WEB', url: 'javascript:alert(1)' },
          { url: 'http://plain.example/' },
          'nonsense',
        ],
      },
    })
    await addExploited(database.db, { source: 'kev', cveId: 'CVE-2021-44228' })
    await addExploited(database.db, { source: 'euvd', cveId: 'CVE-2021-44228', removed: true })
    detail = await explained(maven(log4j, '2.14.1'))
  })

  it('says in a sentence why', () => {
    expect(detail.records.map((record) => record.sentence)).toEqual([
      `${log4j} 2.14.1 is inside 2.13.0 … < 2.15.0 of GHSA-jfh8-c2jp-5v3q, matched by purl, exact.`,
    ])
  })

  it('shows the ranges on this package, the deciding one first', () => {
    const [record] = detail.records
    expect(record?.ranges.map((range) => [range.introduced, range.fixed, range.containsVersion])).toEqual([
      ['2.13.0', '2.15.0', true],
      ['2.4', '2.12.2', false],
      ['2.0-beta9', '2.3.1', false],
    ])
    expect(record?.rangesTotal).toBe(3)
    expect([record?.fixedIn, detail.fixedIn]).toEqual(['2.15.0', '2.15.0'])
  })

  it('says how the component was identified and compared', () => {
    expect(detail.identity).toEqual({
      ecosystem: 'Maven',
      packageName: log4j,
      release: '',
      stream: '',
      version: '2.14.1',
      scheme: 'maven',
      rule: textWith('maven'),
      basis: 'purl',
      sourcePackage: false,
    })
    expect(detail.components.map((component) => component.name)).toEqual([log4j])
  })

  it('gives aliases, severity and web references only', () => {
    expect(detail).toMatchObject({
      title: 'CVE-2021-44228',
      severity: 'critical',
      score: 10,
      grade: 'exact',
      gradeReason: null,
    })
    expect(detail.records[0]?.aliases).toEqual(['CVE-2021-44228'])
    expect(detail.records[0]?.references).toEqual([
      { type: 'ADVISORY', url: 'https://advisories.example/1' },
      { type: 'WEB', url: 'http://plain.example/' },
    ])
  })

  it('gives the entries of the catalogues, dropped ones too', () => {
    expect(detail.exploitedBy).toEqual(['kev'])
    expect(detail.possiblyExploited).toBe(false)
    expect(
      detail.exploited.map((entry) => [
        entry.catalogue,
        entry.id,
        entry.listedOn,
        entry.removedAt,
        entry.direct,
      ]),
    ).toEqual([
      ['kev', 'CVE-2021-44228', '2025-12-01', null, true],
      ['euvd', 'CVE-2021-44228', '2025-12-01', '2026-01-01T00:00:00.000Z', true],
    ])
  })
})

describe('why a finding is only possible', () => {
  it('no version', async () => {
    await addRecord(database.db, {
      id: 'GHSA-nover',
      affected: [{ ecosystem: 'npm', name: 'nover', scheme: 'semver', ranges: [['0', '1.0.0']] }],
    })
    const detail = await explained(npm('nover', '', { decidability: 'no_version' }))
    expect(detail.gradeReason).toMatch(/names no version/)
    expect(detail.fixedIn).toBeNull()
    expect(detail.records[0]?.ranges.map((range) => range.containsVersion)).toEqual([false])
    expect(detail.records[0]?.sentence).toBe(
      'nover names no version, and GHSA-nover is about the package, matched by purl, possible.',
    )
  })

  it('release unknown', async () => {
    await addRecord(database.db, {
      id: 'DSA-1',
      affected: [{ ecosystem: 'Debian', release: '11', name: 'tar', scheme: 'dpkg', listed: ['1.34'] }],
    })
    const detail = await explained(debian('tar', '1.34', null))
    expect(detail.gradeReason).toMatch(/release of the distribution is unknown/)
    expect(detail.records[0]?.sentence).toBe(
      'tar 1.34 is among the versions that DSA-1 lists for some release, matched by purl, possible.',
    )
  })

  it('a version without order that the record lists', async () => {
    await addRecord(database.db, {
      id: 'GHSA-nightly',
      affected: [{ ecosystem: 'npm', name: 'night', scheme: 'semver', listed: ['nightly'] }],
    })
    const detail = await explained(npm('night', 'nightly', { decidability: 'uncomparable' }))
    expect(detail.gradeReason).toMatch(/lists exactly this text/)
    expect(detail.records[0]?.ranges.map((range) => range.containsVersion)).toEqual([true])
    expect(detail.records[0]?.sentence).toBe(
      'night nightly is listed as affected by GHSA-nightly, matched by purl, possible.',
    )
  })

  it('a CPE that leaves out the version', async () => {
    await addRecord(database.db, {
      id: 'NVD:CVE-2024-1',
      affected: [{ ecosystem: 'cpe', name: 'a:acme:pump', scheme: 'generic', ranges: [['0', '2.0']] }],
    })
    const pump = { ecosystem: 'cpe', name: 'a:acme:pump', version: '1.0', scheme: 'generic' } as const
    const detail = await explained({ ...pump, basis: 'guessed_cpe' })
    expect(detail.gradeReason).toMatch(/does not name the version/)
    expect(detail.identity.basis).toBe('cpe')
    expect(detail.records[0]?.sentence).toMatch(/matched by CPE, possible\.$/)
  })

  it('disputed: the home database leaves the version out', async () => {
    const fixedIn = (id: string, fixed: string) => ({
      id,
      group: 'CVE-2024-7777',
      affected: [
        {
          ecosystem: 'npm',
          name: 'dispute',
          scheme: 'semver' as const,
          ranges: [['0', fixed]] satisfies [string, string][],
        },
      ],
    })
    await addRecord(database.db, fixedIn('GHSA-dispute', '1.0.0'))
    await addRecord(database.db, fixedIn('OTHER-dispute', '2.0.0'))
    const detail = await explained(npm('dispute', '1.5.0'))
    expect(detail).toMatchObject({ grade: 'possible', disputed: true, unaffectedRecords: ['GHSA-dispute'] })
    expect(detail.gradeReason).toMatch(/database of the ecosystem/)
    expect(detail.records.map((record) => [record.recordId, record.grade])).toEqual([
      ['OTHER-dispute', 'exact'],
    ])
  })
})

it('names a vulnerability that is listed through another record possibly exploited', async () => {
  await addRecord(database.db, {
    id: 'GHSA-near',
    group: 'CVE-2024-8888',
    aliases: ['PYSEC-far'],
    affected: [{ ecosystem: 'npm', name: 'near', scheme: 'semver', ranges: [['0', null]] }],
  })
  await addRecord(database.db, {
    id: 'PYSEC-far',
    group: 'CVE-2024-8888',
    aliases: ['CVE-2024-8888'],
    affected: [{ ecosystem: 'PyPI', name: 'far', scheme: 'pep440', ranges: [['0', null]] }],
  })
  await addExploited(database.db, { source: 'kev', cveId: 'CVE-2024-8888' })
  const detail = await explained(npm('near', '1.0.0'))
  expect(detail).toMatchObject({ exploitedBy: [], possiblyExploited: true })
  expect(detail.exploited.map((entry) => entry.direct)).toEqual([false])
  expect(detail.records[0]?.sentence).toBe(
    'near 1.0.0 is inside 0 … with no known end of GHSA-near, matched by purl, exact.',
  )
})

it('shows the fix of the component’s own release and stream, not of another', async () => {
  await addRecord(database.db, {
    id: 'RHSA-1',
    affected: [
      { ecosystem: 'Red Hat', release: '7', name: 'curl', scheme: 'rpm', ranges: [['0', '7.29.0-59.el7']] },
      { ecosystem: 'Red Hat', release: '8', name: 'curl', scheme: 'rpm', ranges: [['0', '7.61.1-22.el8']] },
      {
        ecosystem: 'Red Hat',
        release: '8',
        stream: 'el8_4',
        name: 'curl',
        scheme: 'rpm',
        ranges: [['0', '7.61.1-18.el8_4']],
      },
    ],
  })
  const detail = await explained(rpm('curl', '7.61.1-10.el8', ''))
  expect(detail.fixedIn).toBe('7.61.1-22.el8')
  expect(detail.records[0]?.ranges.map((range) => range.fixed)).toEqual(['7.61.1-22.el8'])
})

it('says when the data is by source package', async () => {
  await addRecord(database.db, {
    id: 'DSA-2',
    affected: [
      { ecosystem: 'Debian', release: '12', name: 'openssl', scheme: 'dpkg', ranges: [['0', '3.0.9-1']] },
    ],
  })
  expect((await explained(debian('openssl', '3.0.1-1', '12'))).identity.sourcePackage).toBe(false)
  await database.db.updateTable('component').set({ name: 'libssl3' }).where('name', '=', 'openssl').execute()
  const { id } = await database.db
    .selectFrom('finding')
    .innerJoin('vulnerability_group as g', 'g.id', 'finding.group_id')
    .select('finding.id')
    .where('g.title_id', '=', 'DSA-2')
    .executeTakeFirstOrThrow()
  const detail = await explainFinding(database.db, {
    workspaceId: family.workspaceId,
    findingId: id,
    now: testNow,
  })
  expect(detail.identity).toMatchObject({ packageName: 'openssl', sourcePackage: true })
})

it('is not shown to another workspace', async () => {
  const other = await addWorkspace(database.db, 'other')
  const { id } = await database.db.selectFrom('finding').select('id').limit(1).executeTakeFirstOrThrow()
  await expect(
    explainFinding(database.db, { workspaceId: other, findingId: id, now: testNow }),
  ).rejects.toMatchObject({ code: 'not_found' })
})
