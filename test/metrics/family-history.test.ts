import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { selectFamilyHistory } from '../../src/metrics/reads/family-history.ts'
import { matchSbom } from '../../src/findings/changes/match-sbom.ts'
import { purgeFamilyFindings } from '../../src/findings/changes/purge-family.ts'
import { refreshFamilyFindings } from '../../src/findings/refresh/refresh-findings.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createScene } from '../support/scene.ts'
import { addRecord } from '../support/records.ts'
import { npm, packageKeyOf } from '../support/parts.ts'
import { addSbom, type Family } from '../support/rows.ts'

let database: TestDatabase
let family: Family
let personId: string

const day = (of: number, hour = 12) => new Date(Date.UTC(2026, 0, of, hour))

beforeAll(async () => {
  database = await createTestDatabase()
  const [acme] = await createScene(database.db)
  family = { workspaceId: acme.id, familyId: acme.families[0]?.id ?? '' }
  personId = acme.members.owner.id
  for (const name of ['apple', 'pear']) {
    await addRecord(database.db, {
      id: `CVE-2024-${name}`,
      affected: [{ ecosystem: 'npm', name, scheme: 'semver', ranges: [['0', '9.0.0']] }],
    })
  }
  const sbomId = await addSbom(database.db, family, {
    parts: [npm('apple', '1.0.0'), npm('pear', '1.0.0')],
    now: day(1),
  })
  await matchSbom(database.db, { workspaceId: family.workspaceId, sbomId, now: day(1) })
})
afterAll(() => database.drop())

async function decide(verdict: 'not_affected' | 'affected' | 'fixed', at: Date): Promise<string> {
  const id = randomUUID()
  await database.db
    .insertInto('verdict_decision')
    .values({
      id,
      workspace_id: family.workspaceId,
      family_id: family.familyId,
      every_version: true,
      version_id: null,
      package_key: packageKeyOf('npm', 'apple'),
      vulnerability_id: 'CVE-2024-apple',
      verdict,
      justification: null,
      comment: '',
      decided_at: at,
      decided_by: personId,
      decided_by_name: 'Olga',
      expires_at: null,
      batch_id: null,
    })
    .execute()
  await refreshFamilyFindings(database.db, { ...family, now: at })
  return id
}

async function end(id: string, at: Date): Promise<void> {
  await database.db.updateTable('verdict_decision').set({ ended_at: at }).where('id', '=', id).execute()
  await refreshFamilyFindings(database.db, { ...family, now: at })
}

async function history(): Promise<string[]> {
  const days = await selectFamilyHistory(database.db, { ...family, timeZone: 'UTC' })
  return days.map(
    ({ day: on, opened, reopened, closed, settled, open }) =>
      `${on.slice(-2)} +${opened} again ${reopened} -${closed} declared ${settled} = ${open}`,
  )
}

it('a verdict counts on the days on which it was in force: given, withdrawn, superseded', async () => {
  const given = await decide('not_affected', day(3))
  const first = ['01 +2 again 0 -0 declared 0 = 2', '03 +0 again 0 -0 declared 1 = 1']
  expect(await history()).toEqual(first)
  await end(given, day(5))
  const withdrawn = [...first, '05 +0 again 1 -0 declared 0 = 2']
  expect(await history()).toEqual(withdrawn)
  const fixed = await decide('fixed', day(7))
  await database.db
    .updateTable('verdict_decision')
    .set({ ended_at: day(8) })
    .where('id', '=', fixed)
    .execute()
  const supersededBy = await decide('affected', day(8))
  const superseded = [...withdrawn, '07 +0 again 0 -0 declared 1 = 1', '08 +0 again 1 -0 declared 0 = 2']
  expect(await history()).toEqual(superseded)
  await end(supersededBy, day(9))
  expect(await history()).toEqual(superseded)
  await refreshFamilyFindings(database.db, { ...family, now: day(10) })
  expect(await history()).toEqual(superseded)
})

it('a declared finding that closes was not open, and the last day is what is open now', async () => {
  await decide('not_affected', day(12))
  const sbomId = await addSbom(database.db, family, { parts: [npm('pear', '1.0.0')], now: day(14) })
  await matchSbom(database.db, { workspaceId: family.workspaceId, sbomId, now: day(14) })
  expect((await history()).slice(-1)).toEqual(['12 +0 again 0 -0 declared 1 = 1'])
  const { rows } = await sql<{ open: number }>`
    select count(*) as open from finding where closed_at is null and coalesce(verdict not in ('not_affected', 'fixed'), true)`.execute(
    database.db,
  )
  expect(Number(rows[0]?.open)).toBe(1)
})

it('goes with its family', async () => {
  await purgeFamilyFindings(database.db, family.workspaceId, family.familyId)
  expect(await history()).toEqual([])
  expect(await database.db.selectFrom('finding_turn').selectAll().execute()).toEqual([])
})
