import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { matchPackages } from '../../src/findings/changes/match-packages.ts'
import { moveFindings } from '../../src/findings/changes/move-findings.ts'
import { purgeFamilyFindings } from '../../src/findings/changes/purge-family.ts'
import { refreshFamilyFindings } from '../../src/findings/refresh/refresh-findings.ts'
import { FindingScene, simple } from '../support/finding-scene.ts'
import { addRecord } from '../support/records.ts'
import { npm, packageKeyOf } from '../support/parts.ts'
import { addFamily, addVersion } from '../support/rows.ts'
import { later, testNow } from '../support/clock.ts'

let scene: FindingScene

beforeAll(async () => {
  scene = await FindingScene.open()
})
beforeEach(() => scene.next())
afterAll(() => scene.close())

describe('changed records', () => {
  it('reach the families whose findings differ, once each, and no others', async () => {
    const reached = await addFamily(scene.db, scene.workspaceId, `Reached ${scene.count}`)
    const clean = await addFamily(scene.db, scene.workspaceId, `Clean ${scene.count}`)
    await scene.upload([npm(scene.own('a'), '1.0.0')])
    await scene.upload([npm(scene.own('a'), '1.5.0')], { into: reached })
    await scene.upload([npm(scene.own('a'), '3.0.0')], { into: clean })
    await addRecord(scene.db, simple(`GHSA-${scene.count}`, scene.own('a')))
    const order = { packageKeys: [packageKeyOf('npm', scene.own('a'))], now: later(1) }
    await matchPackages(scene.db, order)
    await matchPackages(scene.db, order)
    const families = await scene.waitingRefreshes()
    expect(families.filter((id) => id === scene.family.familyId)).toHaveLength(1)
    expect(families.filter((id) => id === reached.familyId)).toHaveLength(1)
    expect(families).not.toContain(clean.familyId)
    await refreshFamilyFindings(scene.db, { ...scene.family, now: later(1) })
    expect(await scene.titles()).toEqual([`${scene.own('a')} 1.0.0 GHSA-${scene.count} exact`])
  })

  it('that say the same as before reach nobody', async () => {
    await addRecord(scene.db, simple(`GHSA-${scene.count}`, scene.own('a')))
    await scene.upload([npm(scene.own('a'), '1.0.0')])
    await addRecord(scene.db, simple(`GHSA-${scene.count}`, scene.own('a')))
    await matchPackages(scene.db, { packageKeys: [packageKeyOf('npm', scene.own('a'))], now: later(1) })
    expect(await scene.waitingRefreshes()).not.toContain(scene.family.familyId)
  })

  it('do not reach a family that has the component in replaced SBOMs only', async () => {
    await scene.upload([npm(scene.own('a'), '1.0.0')])
    await scene.upload([npm(scene.own('b'), '1.0.0')])
    await addRecord(scene.db, simple(`GHSA-${scene.count}`, scene.own('a')))
    await matchPackages(scene.db, { packageKeys: [packageKeyOf('npm', scene.own('a'))], now: later(1) })
    expect(await scene.waitingRefreshes()).not.toContain(scene.family.familyId)
  })

  it('withdrawn, close the findings', async () => {
    await addRecord(scene.db, simple(`GHSA-${scene.count}`, scene.own('a')))
    await scene.upload([npm(scene.own('a'), '1.0.0')])
    await addRecord(scene.db, simple(`GHSA-${scene.count}`, scene.own('a'), { withdrawn: true }))
    await matchPackages(scene.db, { packageKeys: [packageKeyOf('npm', scene.own('a'))], now: later(1) })
    expect(await scene.waitingRefreshes()).toContain(scene.family.familyId)
    await refreshFamilyFindings(scene.db, { ...scene.family, now: later(1) })
    expect(await scene.titles()).toEqual([])
    expect((await scene.stored()).map((row) => row.closed_at)).toEqual([later(1)])
  })
})

describe('merged groups', () => {
  it('take their findings along and keep the earliest time', async () => {
    const older = `CVE-OLD-${scene.count}`
    const younger = `CVE-YOUNG-${scene.count}`
    await addRecord(scene.db, { ...simple(`A-${scene.count}`, scene.own('a')), group: older })
    await scene.upload([npm(scene.own('a'), '1.0.0')])
    await addRecord(scene.db, { ...simple(`B-${scene.count}`, scene.own('a')), group: younger })
    await addRecord(scene.db, { ...simple(`C-${scene.count}`, scene.own('c')), group: younger })
    await scene.upload([npm(scene.own('a'), '1.0.0'), npm(scene.own('c'), '1.0.0')], { now: later(3) })
    await refreshAfterImport(later(3))
    expect(await scene.titles()).toHaveLength(3)
    const [into, from] = await Promise.all([groupId(older), groupId(younger)])
    await scene.db.updateTable('vulnerability').set({ group_id: into }).where('group_id', '=', from).execute()
    await moveFindings(scene.db, [{ from, into }])
    expect(await scene.titles()).toEqual([
      `${scene.own('a')} 1.0.0 ${older} exact`,
      `${scene.own('c')} 1.0.0 ${older} exact`,
    ])
    expect((await scene.stored()).map((row) => [row.group_id, row.first_seen_at])).toEqual([
      [into, testNow],
      [into, later(3)],
    ])
    const before = await scene.stored()
    await moveFindings(scene.db, [{ from, into }])
    await refreshFamilyFindings(scene.db, { ...scene.family, now: later(4) })
    expect(await scene.stored()).toEqual(before)
  })

  it('merged in turn end where the last of them lives on; an open finding keeps the joined one open', async () => {
    const names = ['A', 'B', 'C'].map((name) => `CVE-${name}-${scene.count}`)
    for (const [index, group] of names.entries()) {
      await addRecord(scene.db, { ...simple(`R${index}-${scene.count}`, scene.own('a')), group })
    }
    await scene.upload([npm(scene.own('a'), '1.0.0')])
    const [a = 0, b = 0, c = 0] = await Promise.all(names.map(groupId))
    await scene.db
      .updateTable('finding')
      .set({ closed_at: later(1) })
      .where('family_id', '=', scene.family.familyId)
      .where('group_id', 'in', [a, b])
      .execute()
    await moveFindings(scene.db, [
      { from: c, into: b },
      { from: b, into: a },
    ])
    expect((await scene.stored()).map((row) => [row.group_id, row.closed_at])).toEqual([[a, null]])
  })

  async function refreshAfterImport(now: Date): Promise<void> {
    const keys = ['a', 'c'].map((name) => packageKeyOf('npm', scene.own(name)))
    await matchPackages(scene.db, { packageKeys: keys, now })
    await refreshFamilyFindings(scene.db, { ...scene.family, now })
  }

  async function groupId(title: string): Promise<number> {
    const row = await scene.db
      .selectFrom('vulnerability_group')
      .select('id')
      .where('title_id', '=', title)
      .executeTakeFirstOrThrow()
    return row.id
  }
})

describe('families and versions', () => {
  it('a retired version has no open findings; restored, it has them again', async () => {
    await addRecord(scene.db, simple(`GHSA-${scene.count}`, scene.own('a')))
    const versionId = await addVersion(scene.db, scene.family, '1')
    await scene.upload([npm(scene.own('a'), '1.0.0')], { versionId })
    await setRetired(versionId, later(1))
    expect(await scene.titles()).toEqual([])
    await setRetired(versionId, null)
    expect(await scene.titles()).toHaveLength(1)
    expect((await scene.stored()).map((row) => row.first_seen_at)).toEqual([testNow])
  })

  async function setRetired(versionId: string, retiredAt: Date | null): Promise<void> {
    await scene.db
      .updateTable('product_version')
      .set({ retired_at: retiredAt })
      .where('id', '=', versionId)
      .execute()
    await refreshFamilyFindings(scene.db, { ...scene.family, now: later(1) })
  }

  it('an archived family keeps its findings as they are and is not reached', async () => {
    await addRecord(scene.db, simple(`GHSA-${scene.count}`, scene.own('a')))
    await scene.upload([npm(scene.own('a'), '1.0.0')])
    await scene.db
      .updateTable('family')
      .set({ archived_at: later(1) })
      .where('id', '=', scene.family.familyId)
      .execute()
    await addRecord(scene.db, simple(`GHSA-${scene.count}`, scene.own('a'), { withdrawn: true }))
    await matchPackages(scene.db, { packageKeys: [packageKeyOf('npm', scene.own('a'))], now: later(2) })
    await refreshFamilyFindings(scene.db, { ...scene.family, now: later(2) })
    expect(await scene.waitingRefreshes()).not.toContain(scene.family.familyId)
    expect(await scene.titles()).toHaveLength(1)
    await scene.db
      .updateTable('family')
      .set({ archived_at: null })
      .where('id', '=', scene.family.familyId)
      .execute()
    await refreshFamilyFindings(scene.db, { ...scene.family, now: later(3) })
    expect(await scene.titles()).toEqual([])
  })

  it('the findings of a deleted family are removed', async () => {
    await addRecord(scene.db, simple(`GHSA-${scene.count}`, scene.own('a')))
    await scene.upload([npm(scene.own('a'), '1.0.0')])
    await purgeFamilyFindings(scene.db, scene.workspaceId, scene.family.familyId)
    expect(await scene.stored()).toEqual([])
  })
})
