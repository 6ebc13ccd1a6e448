import { afterAll, beforeAll, expect, it } from 'vitest'
import { countCoverage, selectCoverage } from '../../src/inventory/coverage/coverage.ts'
import { matchSbom } from '../../src/findings/changes/match-sbom.ts'
import { countFindingsOfSbom } from '../../src/findings/reads/count-findings.ts'
import { listFindings } from '../../src/findings/reads/list-findings.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { addRecord } from '../support/records.ts'
import { debian, npm, type Part } from '../support/parts.ts'
import { addFamily, addSbom, addWorkspace, type Family } from '../support/rows.ts'
import { later } from '../support/clock.ts'

let database: TestDatabase
let family: Family

beforeAll(async () => {
  database = await createTestDatabase()
  family = await addFamily(database.db, await addWorkspace(database.db, 'acme'), 'Pump')
  await addRecord(database.db, {
    id: 'CVE-2024-1',
    affected: [{ ecosystem: 'npm', name: 'apple', scheme: 'semver', ranges: [['0', '9.0.0']] }],
  })
})
afterAll(() => database.drop())

/** Stored counts of coverage, and of findings without components, equal the counts over every component. */
async function expectSame(sbomId: string): Promise<number> {
  const key = { workspaceId: family.workspaceId, sbomId }
  expect(await selectCoverage(database.db, key)).toEqual(await countCoverage(database.db, key))
  const counted = await countFindingsOfSbom(database.db, key)
  const listed = await listFindings(database.db, key)
  expect([
    counted.total,
    counted.exploited,
    counted.vulnerabilities,
    counted.notAffected + counted.fixed,
  ]).toEqual([listed.total, listed.exploited, listed.vulnerabilities, listed.hidden])
  return counted.total
}

async function upload(parts: Part[], minutes: number): Promise<string> {
  return addSbom(database.db, family, { parts, now: later(minutes) })
}

it('counts are those of the components, before and after matching, and once another SBOM took the place', async () => {
  const parts = [npm('apple', '1.0.0'), npm('fig', '1.0.0'), debian('pump', '1.0', null)]
  const first = await upload(parts, 1)
  expect(await expectSame(first)).toBe(0)
  const match = (sbomId: string, minutes: number) =>
    matchSbom(database.db, { workspaceId: family.workspaceId, sbomId, now: later(minutes) })
  await match(first, 2)
  expect(await expectSame(first)).toBe(1)
  const second = await upload([npm('fig', '1.0.0')], 3)
  expect(await expectSame(second)).toBe(0)
  await match(second, 4)
  expect([await expectSame(first), await expectSame(second)]).toEqual([0, 0])
  await match(first, 5)
  expect(await expectSame(first)).toBe(0)
})
