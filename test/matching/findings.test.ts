import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { giveUpSbom, matchSbom } from '../../src/matching/match-sbom.ts'
import { matchPackages } from '../../src/matching/match-packages.ts'
import { moveFindings } from '../../src/matching/move-findings.ts'
import { purgeFamilyFindings } from '../../src/matching/purge-family.ts'
import { refreshFamilyFindings } from '../../src/matching/refresh-findings.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { addRecord, type RecordFacts } from './records.ts'
import {
  addFamily,
  addSbom,
  addVersion,
  addWorkspace,
  later,
  npm,
  openFindings,
  packageKeyOf,
  start,
  type Family,
  type Part,
} from './scene.ts'

let database: TestDatabase
let workspaceId: string
let family: Family
let count = 0

beforeAll(async () => {
  database = await createTestDatabase()
  workspaceId = await addWorkspace(database.db, 'acme')
})
afterAll(async () => {
  await database.drop()
})
beforeEach(async () => {
  count += 1
  family = await addFamily(database.db, workspaceId, `Pump ${count}`)
})

/** A package name of this test alone. */
const own = (name: string) => `${name}-${count}`

async function upload(
  parts: Part[],
  { versionId = null as string | null, now = start, into = family } = {},
): Promise<string> {
  const sbomId = await addSbom(database.db, into, { versionId, parts, now })
  await matchSbom(database.db, { workspaceId: into.workspaceId, sbomId, now })
  return sbomId
}

const simple = (id: string, name: string, more: Partial<RecordFacts> = {}): RecordFacts => ({
  id,
  affected: [{ ecosystem: 'npm', name, scheme: 'semver', ranges: [['0', '2.0.0']] }],
  ...more,
})

async function titles(of = family): Promise<string[]> {
  return (await openFindings(database.db, of)).map(
    (finding) => `${finding.component} ${finding.title} ${finding.grade}`,
  )
}

async function stored(of = family) {
  return database.db
    .selectFrom('finding')
    .select(['id', 'version_id', 'group_id', 'grade', 'first_seen_at', 'closed_at'])
    .where('family_id', '=', of.familyId)
    .orderBy('first_seen_at')
    .orderBy('id')
    .execute()
}

describe('an SBOM', () => {
  it('is matched together with its findings', async () => {
    await addRecord(database.db, simple(`GHSA-1-${count}`, own('a')))
    const sbomId = await upload([npm(own('a'), '1.0.0'), npm(own('b'), '1.0.0')], { now: later(5) })
    expect(await titles()).toEqual([`${own('a')} 1.0.0 GHSA-1-${count} exact`])
    const sbom = await database.db
      .selectFrom('sbom')
      .selectAll()
      .where('id', '=', sbomId)
      .executeTakeFirstOrThrow()
    expect(sbom).toMatchObject({ status: 'matched', matched_at: later(5), failure: null })
  })

  it('matched twice changes nothing', async () => {
    await addRecord(database.db, simple(`GHSA-2-${count}`, own('a')))
    const sbomId = await upload([npm(own('a'), '1.0.0')])
    const before = await stored()
    await matchSbom(database.db, { workspaceId, sbomId, now: later(9) })
    expect(await stored()).toEqual(before)
    const { matched_at } = await database.db
      .selectFrom('sbom')
      .select('matched_at')
      .where('id', '=', sbomId)
      .executeTakeFirstOrThrow()
    expect(matched_at).toEqual(start)
  })

  it('of another workspace is not matched', async () => {
    const other = await addWorkspace(database.db, `other-${count}`)
    const sbomId = await addSbom(database.db, family, { parts: [npm(own('a'), '1.0.0')] })
    await matchSbom(database.db, { workspaceId: other, sbomId, now: start })
    const sbom = await database.db
      .selectFrom('sbom')
      .select('status')
      .where('id', '=', sbomId)
      .executeTakeFirstOrThrow()
    expect(sbom.status).toBe('parsed')
  })

  it('that could not be matched says so, and can be matched later', async () => {
    const sbomId = await addSbom(database.db, family, { parts: [npm(own('a'), '1.0.0')] })
    await giveUpSbom(database.db, { workspaceId, sbomId })
    const failed = await database.db
      .selectFrom('sbom')
      .selectAll()
      .where('id', '=', sbomId)
      .executeTakeFirstOrThrow()
    expect(failed.status).toBe('failed')
    expect(failed.failure).toMatch(/did not finish/)
    await matchSbom(database.db, { workspaceId, sbomId, now: start })
    const matched = await database.db
      .selectFrom('sbom')
      .selectAll()
      .where('id', '=', sbomId)
      .executeTakeFirstOrThrow()
    expect(matched).toMatchObject({ status: 'matched', failure: null })
  })

  it('that replaces another closes what is gone and keeps the time the rest was first seen', async () => {
    await addRecord(database.db, simple(`GHSA-A-${count}`, own('a')))
    await addRecord(database.db, simple(`GHSA-B-${count}`, own('b')))
    await upload([npm(own('a'), '1.0.0'), npm(own('b'), '1.0.0')])
    await upload([npm(own('b'), '1.0.0')], { now: later(10) })
    expect(await titles()).toEqual([`${own('b')} 1.0.0 GHSA-B-${count} exact`])
    const rows = await stored()
    expect(rows.map((row) => [row.first_seen_at, row.closed_at])).toEqual(
      expect.arrayContaining([
        [start, later(10)],
        [start, null],
      ]),
    )
    await upload([npm(own('a'), '1.0.0')], { now: later(20) })
    expect(await titles()).toEqual([`${own('a')} 1.0.0 GHSA-A-${count} exact`])
    expect((await stored()).map((row) => row.first_seen_at)).toEqual([start, start])
  })

  it('of one version leaves the findings of another alone', async () => {
    await addRecord(database.db, simple(`GHSA-A-${count}`, own('a')))
    const first = await addVersion(database.db, family, '1')
    const second = await addVersion(database.db, family, '2')
    await upload([npm(own('a'), '1.0.0')], { versionId: first })
    await upload([npm(own('a'), '1.0.0')], { versionId: second })
    await upload([npm(own('a'), '1.0.0')])
    expect((await stored()).map((row) => row.version_id).sort()).toEqual([first, second, null].sort())
    await upload([npm(own('a'), '2.0.0')], { versionId: second, now: later(1) })
    const open = (await stored()).filter((row) => row.closed_at === null)
    expect(open.map((row) => row.version_id).sort()).toEqual([first, null].sort())
  })
})

describe('a vulnerability', () => {
  it('named by several records is one finding', async () => {
    const group = `CVE-1-${count}`
    await addRecord(database.db, simple(`GHSA-${count}`, own('a'), { group, aliases: [group] }))
    await addRecord(database.db, simple(`OTHER-${count}`, own('a'), { group, aliases: [group] }))
    await upload([npm(own('a'), '1.0.0')])
    expect(await titles()).toEqual([`${own('a')} 1.0.0 ${group} exact`])
  })

  it('on which records disagree is affected, and exact when the home database says so too', async () => {
    const group = `CVE-1-${count}`
    const fixedIn = (id: string, fixed: string): RecordFacts => ({
      id,
      group,
      affected: [{ ecosystem: 'npm', name: own('a'), scheme: 'semver', ranges: [['0', fixed]] }],
    })
    await addRecord(database.db, fixedIn(`GHSA-${count}`, '1.2.0'))
    await addRecord(database.db, fixedIn(`OTHER-${count}`, '1.3.0'))
    await upload([npm(own('a'), '1.1.0'), npm(own('a'), '1.2.5'), npm(own('a'), '1.3.0')])
    expect(await titles()).toEqual([
      `${own('a')} 1.1.0 ${group} exact`,
      `${own('a')} 1.2.5 ${group} possible`,
    ])
  })

  it('that the home database does not know on this package stays exact', async () => {
    const group = `CVE-1-${count}`
    await addRecord(database.db, { ...simple(`GHSA-${count}`, own('elsewhere')), group })
    await addRecord(database.db, { ...simple(`OTHER-${count}`, own('a')), group })
    await upload([npm(own('a'), '1.0.0')])
    expect(await titles()).toEqual([`${own('a')} 1.0.0 ${group} exact`])
  })

  it('turns possible when the home database begins to leave the version out, without any new result', async () => {
    const group = `CVE-1-${count}`
    await addRecord(database.db, { ...simple(`OTHER-${count}`, own('a')), group })
    await upload([npm(own('a'), '1.5.0')])
    expect(await titles()).toEqual([`${own('a')} 1.5.0 ${group} exact`])
    await addRecord(database.db, {
      id: `GHSA-${count}`,
      group,
      affected: [{ ecosystem: 'npm', name: own('a'), scheme: 'semver', ranges: [['0', '1.0.0']] }],
    })
    await matchPackages(database.db, { packageKeys: [packageKeyOf('npm', own('a'))], now: later(1) })
    expect(await waitingRefreshes()).toContain(family.familyId)
    await refreshFamilyFindings(database.db, { ...family, now: later(1) })
    expect(await titles()).toEqual([`${own('a')} 1.5.0 ${group} possible`])
  })
})

async function waitingRefreshes(): Promise<(string | null)[]> {
  const jobs = await database.db
    .selectFrom('job')
    .select('key')
    .where('kind', '=', 'refresh_findings')
    .execute()
  return jobs.map((job) => job.key)
}

describe('changed records', () => {
  it('reach the families whose findings differ, once each, and no others', async () => {
    const reached = await addFamily(database.db, workspaceId, `Reached ${count}`)
    const clean = await addFamily(database.db, workspaceId, `Clean ${count}`)
    await upload([npm(own('a'), '1.0.0')])
    await upload([npm(own('a'), '1.5.0')], { into: reached })
    await upload([npm(own('a'), '3.0.0')], { into: clean })
    await addRecord(database.db, simple(`GHSA-${count}`, own('a')))
    const order = { packageKeys: [packageKeyOf('npm', own('a'))], now: later(1) }
    await matchPackages(database.db, order)
    await matchPackages(database.db, order)
    const families = await waitingRefreshes()
    expect(families.filter((id) => id === family.familyId)).toHaveLength(1)
    expect(families.filter((id) => id === reached.familyId)).toHaveLength(1)
    expect(families).not.toContain(clean.familyId)
    await refreshFamilyFindings(database.db, { ...family, now: later(1) })
    expect(await titles()).toEqual([`${own('a')} 1.0.0 GHSA-${count} exact`])
  })

  it('that say the same as before reach nobody', async () => {
    await addRecord(database.db, simple(`GHSA-${count}`, own('a')))
    await upload([npm(own('a'), '1.0.0')])
    await addRecord(database.db, simple(`GHSA-${count}`, own('a')))
    await matchPackages(database.db, { packageKeys: [packageKeyOf('npm', own('a'))], now: later(1) })
    expect(await waitingRefreshes()).not.toContain(family.familyId)
  })

  it('do not reach a family that has the component in replaced SBOMs only', async () => {
    await upload([npm(own('a'), '1.0.0')])
    await upload([npm(own('b'), '1.0.0')])
    await addRecord(database.db, simple(`GHSA-${count}`, own('a')))
    await matchPackages(database.db, { packageKeys: [packageKeyOf('npm', own('a'))], now: later(1) })
    expect(await waitingRefreshes()).not.toContain(family.familyId)
  })

  it('withdrawn, close the findings', async () => {
    await addRecord(database.db, simple(`GHSA-${count}`, own('a')))
    await upload([npm(own('a'), '1.0.0')])
    await addRecord(database.db, simple(`GHSA-${count}`, own('a'), { withdrawn: true }))
    await matchPackages(database.db, { packageKeys: [packageKeyOf('npm', own('a'))], now: later(1) })
    expect(await waitingRefreshes()).toContain(family.familyId)
    await refreshFamilyFindings(database.db, { ...family, now: later(1) })
    expect(await titles()).toEqual([])
    expect((await stored()).map((row) => row.closed_at)).toEqual([later(1)])
  })
})

describe('merged groups', () => {
  it('take their findings along and keep the earliest time', async () => {
    const older = `CVE-OLD-${count}`
    const younger = `CVE-YOUNG-${count}`
    await addRecord(database.db, { ...simple(`A-${count}`, own('a')), group: older })
    await upload([npm(own('a'), '1.0.0')])
    await addRecord(database.db, { ...simple(`B-${count}`, own('a')), group: younger })
    await addRecord(database.db, { ...simple(`C-${count}`, own('c')), group: younger })
    await upload([npm(own('a'), '1.0.0'), npm(own('c'), '1.0.0')], { now: later(3) })
    await refreshAfterImport(later(3))
    expect(await titles()).toHaveLength(3)
    const [into, from] = await Promise.all([groupId(older), groupId(younger)])
    await database.db
      .updateTable('vulnerability')
      .set({ group_id: into })
      .where('group_id', '=', from)
      .execute()
    await moveFindings(database.db, [{ from, into }])
    expect(await titles()).toEqual([`${own('a')} 1.0.0 ${older} exact`, `${own('c')} 1.0.0 ${older} exact`])
    expect((await stored()).map((row) => [row.group_id, row.first_seen_at])).toEqual([
      [into, start],
      [into, later(3)],
    ])
    const before = await stored()
    await moveFindings(database.db, [{ from, into }])
    await refreshFamilyFindings(database.db, { ...family, now: later(4) })
    expect(await stored()).toEqual(before)
  })

  it('merged in turn end where the last of them lives on; an open finding keeps the joined one open', async () => {
    const names = ['A', 'B', 'C'].map((name) => `CVE-${name}-${count}`)
    for (const [index, group] of names.entries()) {
      await addRecord(database.db, { ...simple(`R${index}-${count}`, own('a')), group })
    }
    await upload([npm(own('a'), '1.0.0')])
    const [a = 0, b = 0, c = 0] = await Promise.all(names.map(groupId))
    await database.db
      .updateTable('finding')
      .set({ closed_at: later(1) })
      .where('family_id', '=', family.familyId)
      .where('group_id', 'in', [a, b])
      .execute()
    await moveFindings(database.db, [
      { from: c, into: b },
      { from: b, into: a },
    ])
    expect((await stored()).map((row) => [row.group_id, row.closed_at])).toEqual([[a, null]])
  })

  async function refreshAfterImport(now: Date): Promise<void> {
    const keys = ['a', 'c'].map((name) => packageKeyOf('npm', own(name)))
    await matchPackages(database.db, { packageKeys: keys, now })
    await refreshFamilyFindings(database.db, { ...family, now })
  }

  async function groupId(title: string): Promise<number> {
    const row = await database.db
      .selectFrom('vulnerability_group')
      .select('id')
      .where('title_id', '=', title)
      .executeTakeFirstOrThrow()
    return row.id
  }
})

describe('families and versions', () => {
  it('a retired version has no open findings; restored, it has them again', async () => {
    await addRecord(database.db, simple(`GHSA-${count}`, own('a')))
    const versionId = await addVersion(database.db, family, '1')
    await upload([npm(own('a'), '1.0.0')], { versionId })
    await setRetired(versionId, later(1))
    expect(await titles()).toEqual([])
    await setRetired(versionId, null)
    expect(await titles()).toHaveLength(1)
    expect((await stored()).map((row) => row.first_seen_at)).toEqual([start])
  })

  async function setRetired(versionId: string, retiredAt: Date | null): Promise<void> {
    await database.db
      .updateTable('product_version')
      .set({ retired_at: retiredAt })
      .where('id', '=', versionId)
      .execute()
    await refreshFamilyFindings(database.db, { ...family, now: later(1) })
  }

  it('an archived family keeps its findings as they are and is not reached', async () => {
    await addRecord(database.db, simple(`GHSA-${count}`, own('a')))
    await upload([npm(own('a'), '1.0.0')])
    await database.db
      .updateTable('family')
      .set({ archived_at: later(1) })
      .where('id', '=', family.familyId)
      .execute()
    await addRecord(database.db, simple(`GHSA-${count}`, own('a'), { withdrawn: true }))
    await matchPackages(database.db, { packageKeys: [packageKeyOf('npm', own('a'))], now: later(2) })
    await refreshFamilyFindings(database.db, { ...family, now: later(2) })
    expect(await waitingRefreshes()).not.toContain(family.familyId)
    expect(await titles()).toHaveLength(1)
    await database.db
      .updateTable('family')
      .set({ archived_at: null })
      .where('id', '=', family.familyId)
      .execute()
    await refreshFamilyFindings(database.db, { ...family, now: later(3) })
    expect(await titles()).toEqual([])
  })

  it('the findings of a deleted family are removed', async () => {
    await addRecord(database.db, simple(`GHSA-${count}`, own('a')))
    await upload([npm(own('a'), '1.0.0')])
    await purgeFamilyFindings(database.db, workspaceId, family.familyId)
    expect(await stored()).toEqual([])
  })
})

describe('two workspaces with the same component', () => {
  it('share the identity and its results, and see their own findings only', async () => {
    const other = await addFamily(database.db, await addWorkspace(database.db, `second-${count}`), 'Valve')
    await addRecord(database.db, simple(`GHSA-${count}`, own('a')))
    await upload([npm(own('a'), '1.0.0')])
    await upload([npm(own('a'), '1.0.0')], { into: other })
    const identities = await database.db
      .selectFrom('component_identity as i')
      .innerJoin('identity_match as m', 'm.identity_id', 'i.id')
      .select('i.id')
      .where('i.subject', '=', own('a'))
      .execute()
    expect(identities).toHaveLength(1)
    expect(await titles()).toHaveLength(1)
    expect(await titles(other)).toHaveLength(1)
    await refreshFamilyFindings(database.db, {
      workspaceId: other.workspaceId,
      familyId: family.familyId,
      now: later(1),
    })
    expect(await titles()).toHaveLength(1)
  })
})
