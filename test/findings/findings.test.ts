import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { giveUpSbom, matchSbom } from '../../src/findings/changes/match-sbom.ts'
import { matchPackages } from '../../src/findings/changes/match-packages.ts'
import { refreshFamilyFindings } from '../../src/findings/refresh/refresh-findings.ts'
import { FindingScene, simple } from '../support/finding-scene.ts'
import { addRecord, type RecordFacts } from '../support/records.ts'
import { npm, packageKeyOf } from '../support/parts.ts'
import { addFamily, addSbom, addVersion, addWorkspace } from '../support/rows.ts'
import { later, testNow } from '../support/clock.ts'

let scene: FindingScene

beforeAll(async () => {
  scene = await FindingScene.open()
})
beforeEach(() => scene.next())
afterAll(() => scene.close())

describe('an SBOM', () => {
  it('is matched together with its findings', async () => {
    await addRecord(scene.db, simple(`GHSA-1-${scene.count}`, scene.own('a')))
    const sbomId = await scene.upload([npm(scene.own('a'), '1.0.0'), npm(scene.own('b'), '1.0.0')], {
      now: later(5),
    })
    expect(await scene.titles()).toEqual([`${scene.own('a')} 1.0.0 GHSA-1-${scene.count} exact`])
    const sbom = await scene.db
      .selectFrom('sbom')
      .selectAll()
      .where('id', '=', sbomId)
      .executeTakeFirstOrThrow()
    expect(sbom).toMatchObject({ status: 'matched', matched_at: later(5), failure: null })
  })

  it('matched twice changes nothing', async () => {
    await addRecord(scene.db, simple(`GHSA-2-${scene.count}`, scene.own('a')))
    const sbomId = await scene.upload([npm(scene.own('a'), '1.0.0')])
    const before = await scene.stored()
    await matchSbom(scene.db, { workspaceId: scene.workspaceId, sbomId, now: later(9) })
    expect(await scene.stored()).toEqual(before)
    const { matched_at } = await scene.db
      .selectFrom('sbom')
      .select('matched_at')
      .where('id', '=', sbomId)
      .executeTakeFirstOrThrow()
    expect(matched_at).toEqual(testNow)
  })

  it('of another workspace is not matched', async () => {
    const other = await addWorkspace(scene.db, `other-${scene.count}`)
    const sbomId = await addSbom(scene.db, scene.family, { parts: [npm(scene.own('a'), '1.0.0')] })
    await matchSbom(scene.db, { workspaceId: other, sbomId, now: testNow })
    const sbom = await scene.db
      .selectFrom('sbom')
      .select('status')
      .where('id', '=', sbomId)
      .executeTakeFirstOrThrow()
    expect(sbom.status).toBe('parsed')
  })

  it('that could not be matched says so, and can be matched later', async () => {
    const sbomId = await addSbom(scene.db, scene.family, { parts: [npm(scene.own('a'), '1.0.0')] })
    await giveUpSbom(scene.db, { workspaceId: scene.workspaceId, sbomId, now: testNow })
    const failed = await scene.db
      .selectFrom('sbom')
      .selectAll()
      .where('id', '=', sbomId)
      .executeTakeFirstOrThrow()
    expect(failed.status).toBe('failed')
    expect(failed.failure).toMatch(/did not finish/)
    await matchSbom(scene.db, { workspaceId: scene.workspaceId, sbomId, now: testNow })
    const matched = await scene.db
      .selectFrom('sbom')
      .selectAll()
      .where('id', '=', sbomId)
      .executeTakeFirstOrThrow()
    expect(matched).toMatchObject({ status: 'matched', failure: null })
  })

  it('that replaces another closes what is gone and keeps the time the rest was first seen', async () => {
    await addRecord(scene.db, simple(`GHSA-A-${scene.count}`, scene.own('a')))
    await addRecord(scene.db, simple(`GHSA-B-${scene.count}`, scene.own('b')))
    await scene.upload([npm(scene.own('a'), '1.0.0'), npm(scene.own('b'), '1.0.0')])
    await scene.upload([npm(scene.own('b'), '1.0.0')], { now: later(10) })
    expect(await scene.titles()).toEqual([`${scene.own('b')} 1.0.0 GHSA-B-${scene.count} exact`])
    const rows = await scene.stored()
    expect(rows.map((row) => [row.first_seen_at, row.closed_at])).toEqual(
      expect.arrayContaining([
        [testNow, later(10)],
        [testNow, null],
      ]),
    )
    await scene.upload([npm(scene.own('a'), '1.0.0')], { now: later(20) })
    expect(await scene.titles()).toEqual([`${scene.own('a')} 1.0.0 GHSA-A-${scene.count} exact`])
    expect((await scene.stored()).map((row) => row.first_seen_at)).toEqual([testNow, testNow])
  })

  it('of one version leaves the findings of another alone', async () => {
    await addRecord(scene.db, simple(`GHSA-A-${scene.count}`, scene.own('a')))
    const first = await addVersion(scene.db, scene.family, '1')
    const second = await addVersion(scene.db, scene.family, '2')
    await scene.upload([npm(scene.own('a'), '1.0.0')], { versionId: first })
    await scene.upload([npm(scene.own('a'), '1.0.0')], { versionId: second })
    await scene.upload([npm(scene.own('a'), '1.0.0')])
    expect((await scene.stored()).map((row) => row.version_id).sort()).toEqual([first, second, null].sort())
    await scene.upload([npm(scene.own('a'), '2.0.0')], { versionId: second, now: later(1) })
    const open = (await scene.stored()).filter((row) => row.closed_at === null)
    expect(open.map((row) => row.version_id).sort()).toEqual([first, null].sort())
  })
})

describe('a vulnerability', () => {
  it('named by several records is one finding', async () => {
    const group = `CVE-1-${scene.count}`
    await addRecord(scene.db, simple(`GHSA-${scene.count}`, scene.own('a'), { group, aliases: [group] }))
    await addRecord(scene.db, simple(`OTHER-${scene.count}`, scene.own('a'), { group, aliases: [group] }))
    await scene.upload([npm(scene.own('a'), '1.0.0')])
    expect(await scene.titles()).toEqual([`${scene.own('a')} 1.0.0 ${group} exact`])
  })

  it('on which records disagree is affected, and exact when the home database says so too', async () => {
    const group = `CVE-1-${scene.count}`
    const fixedIn = (id: string, fixed: string): RecordFacts => ({
      id,
      group,
      affected: [{ ecosystem: 'npm', name: scene.own('a'), scheme: 'semver', ranges: [['0', fixed]] }],
    })
    await addRecord(scene.db, fixedIn(`GHSA-${scene.count}`, '1.2.0'))
    await addRecord(scene.db, fixedIn(`OTHER-${scene.count}`, '1.3.0'))
    await scene.upload([
      npm(scene.own('a'), '1.1.0'),
      npm(scene.own('a'), '1.2.5'),
      npm(scene.own('a'), '1.3.0'),
    ])
    expect(await scene.titles()).toEqual([
      `${scene.own('a')} 1.1.0 ${group} exact`,
      `${scene.own('a')} 1.2.5 ${group} possible`,
    ])
  })

  it('that the home database does not know on this package stays exact', async () => {
    const group = `CVE-1-${scene.count}`
    await addRecord(scene.db, { ...simple(`GHSA-${scene.count}`, scene.own('elsewhere')), group })
    await addRecord(scene.db, { ...simple(`OTHER-${scene.count}`, scene.own('a')), group })
    await scene.upload([npm(scene.own('a'), '1.0.0')])
    expect(await scene.titles()).toEqual([`${scene.own('a')} 1.0.0 ${group} exact`])
  })

  it('turns possible when the home database begins to leave the version out, without any new result', async () => {
    const group = `CVE-1-${scene.count}`
    await addRecord(scene.db, { ...simple(`OTHER-${scene.count}`, scene.own('a')), group })
    await scene.upload([npm(scene.own('a'), '1.5.0')])
    expect(await scene.titles()).toEqual([`${scene.own('a')} 1.5.0 ${group} exact`])
    await addRecord(scene.db, {
      id: `GHSA-${scene.count}`,
      group,
      affected: [{ ecosystem: 'npm', name: scene.own('a'), scheme: 'semver', ranges: [['0', '1.0.0']] }],
    })
    await matchPackages(scene.db, { packageKeys: [packageKeyOf('npm', scene.own('a'))], now: later(1) })
    expect(await scene.waitingRefreshes()).toContain(scene.family.familyId)
    await refreshFamilyFindings(scene.db, { ...scene.family, now: later(1) })
    expect(await scene.titles()).toEqual([`${scene.own('a')} 1.5.0 ${group} possible`])
  })
})

describe('two workspaces with the same component', () => {
  it('share the identity and its results, and see their own findings only', async () => {
    const other = await addFamily(scene.db, await addWorkspace(scene.db, `second-${scene.count}`), 'Valve')
    await addRecord(scene.db, simple(`GHSA-${scene.count}`, scene.own('a')))
    await scene.upload([npm(scene.own('a'), '1.0.0')])
    await scene.upload([npm(scene.own('a'), '1.0.0')], { into: other })
    const identities = await scene.db
      .selectFrom('component_identity as i')
      .innerJoin('identity_match as m', 'm.identity_id', 'i.id')
      .select('i.id')
      .where('i.subject', '=', scene.own('a'))
      .execute()
    expect(identities).toHaveLength(1)
    expect(await scene.titles()).toHaveLength(1)
    expect(await scene.titles(other)).toHaveLength(1)
    await refreshFamilyFindings(scene.db, {
      workspaceId: other.workspaceId,
      familyId: scene.family.familyId,
      now: later(1),
    })
    expect(await scene.titles()).toHaveLength(1)
  })
})
