import { afterAll, beforeAll, expect, test } from 'vitest'
import { countOwnFindings } from '../../src/findings/reads/count-own-findings.ts'
import { explainFinding } from '../../src/vulnerabilities/evidence/explain-finding.ts'
import { describeVulnerability } from '../../src/vulnerabilities/describe-vulnerability.ts'
import { listVulnerabilities } from '../../src/vulnerabilities/list-vulnerabilities.ts'
import { matchSbom } from '../../src/findings/changes/match-sbom.ts'
import { compareSboms } from '../../src/vulnerabilities/compare-sboms.ts'
import { countFindingsOfVersions } from '../../src/findings/reads/count-findings.ts'
import { listFindings } from '../../src/findings/reads/list-findings.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { loadRecords } from '../matching/match-support.ts'
import { debian, npm } from '../support/parts.ts'
import { addFamily, addSbom, addWorkspace } from '../support/rows.ts'
import { testNow } from '../support/clock.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const vectors = {
  low: 'CVSS:3.1/AV:L/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N',
  medium: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:L/I:N/A:N',
  critical: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
} as const

const record = (id: string, ecosystem: string, name: string, severity: keyof typeof vectors | null) => ({
  id,
  modified: '2025-06-01T00:00:00Z',
  aliases: ['CVE-2025-1000'],
  ...(severity === null ? {} : { severity: [{ type: 'CVSS_V3', score: vectors[severity] }] }),
  affected: [
    {
      package: { ecosystem, name },
      ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '2' }] }],
    },
  ],
})

test('of a group whose records disagree a finding has the severity of the record that matches it, else of the group', async () => {
  const { db } = database
  await loadRecords(
    database.db,
    record('DSA-1', 'Debian:12', 'pump', 'low'),
    record('GHSA-1', 'npm', 'pump', 'critical'),
    record('OSV-1', 'npm', 'valve', null),
  )
  const workspaceId = await addWorkspace(db, 'acme')
  const family = await addFamily(db, workspaceId, 'Pump')
  const parts = [debian('pump', '1.0', '12'), npm('pump', '1.0.0'), npm('valve', '1.0.0')]
  const sbomId = await addSbom(db, family, { parts })
  await matchSbom(db, { ...family, sbomId, now: testNow })
  const subjects = async () => {
    const { rows } = await listFindings(db, { workspaceId, sbomId, sort: 'severity' })
    return Promise.all(
      rows.map(async ({ id, component, severity, score }) => {
        const told = await explainFinding(db, { workspaceId, findingId: id, now: testNow })
        expect([told.severity, told.score]).toEqual([severity, score])
        return `${component.purl} ${severity} ${told.severitySource}`
      }),
    )
  }
  const counts = async () => {
    const { versions } = await countFindingsOfVersions(db, { workspaceId, familyIds: [family.familyId] })
    const bySeverity = versions[0]?.findings.bySeverity
    expect((await countOwnFindings(db, { workspaceId, sbomId }, testNow)).bySeverity).toEqual(bySeverity)
    return bySeverity
  }
  expect((await subjects()).sort()).toEqual([
    'pkg:debian/pump@1.0 low DSA-1',
    'pkg:npm/pump@1.0.0 critical GHSA-1',
    'pkg:npm/valve@1.0.0 critical GHSA-1',
  ])
  expect(await counts()).toMatchObject({ low: 1, critical: 2 })
  const low = await listFindings(db, { workspaceId, sbomId, severity: 'low' })
  expect(low.rows.map(({ component }) => component.purl)).toEqual(['pkg:debian/pump@1.0'])
  const list = await listVulnerabilities(db, { workspaceId, verdict: 'open', sort: 'urgency' })
  expect(list.rows.map(({ severity }) => severity)).toEqual(['critical'])
  const [before, after] = [
    await addSbom(db, family, { parts: [npm('other', '1.0.0')] }),
    await addSbom(db, family, { parts: [debian('pump', '1.0', '12')] }),
  ]
  const { findings: between } = await compareSboms(db, { workspaceId, before, after })
  expect(between.rows.map(({ severity, change }) => `${change} ${severity}`)).toEqual(['added low'])
  // without matching again
  await loadRecords(database.db, record('DSA-1', 'Debian:12', 'pump', 'medium'))
  expect(await counts()).toMatchObject({ medium: 1, critical: 2 })
  await loadRecords(database.db, record('DSA-1', 'Debian:12', 'pump', 'critical'))
  expect(await counts()).toMatchObject({ critical: 3 })
  expect(await subjects()).toContain('pkg:debian/pump@1.0 critical GHSA-1')
})

test('a record that is withdrawn lends the vulnerability no severity and no summary while another is not', async () => {
  const { db } = database
  const alias = { aliases: ['CVE-2025-2000'] }
  const withdrawn = { ...record('GHSA-2', 'npm', 'hose', 'critical'), ...alias, summary: 'taken back' }
  const live = { ...record('OSV-2', 'npm', 'hose', null), ...alias, summary: 'still true' }
  await loadRecords(database.db, { ...withdrawn, withdrawn: '2025-07-01T00:00:00Z' }, live)
  const workspaceId = await addWorkspace(db, 'umbrella')
  const family = await addFamily(db, workspaceId, 'Pump')
  const sbomId = await addSbom(db, family, { parts: [npm('hose', '1.0.0')] })
  await matchSbom(db, { ...family, sbomId, now: testNow })
  const told = async () => {
    const { rows } = await listFindings(db, { workspaceId, sbomId, sort: 'severity' })
    const list = await listVulnerabilities(db, { workspaceId, verdict: 'open', sort: 'urgency' })
    const page = await describeVulnerability(db, workspaceId, 'CVE-2025-2000', testNow)
    return [rows[0], list.rows[0], page].map((row) => [row?.severity, row?.summary])
  }
  const unknown = ['unknown', 'still true']
  expect(await told()).toEqual([unknown, unknown, unknown])
  await loadRecords(database.db, { ...live, withdrawn: '2025-07-02T00:00:00Z' })
  const page = await describeVulnerability(db, workspaceId, 'CVE-2025-2000', testNow)
  expect(page.severity).toBe('critical')
})
