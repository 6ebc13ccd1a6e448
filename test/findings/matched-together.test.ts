import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { matchSbom, matchSboms } from '../../src/findings/changes/match-sbom.ts'
import { FindingScene, simple } from '../support/finding-scene.ts'
import { addRecord } from '../support/records.ts'
import { npm } from '../support/parts.ts'
import { addFamily, addSbom, addVersion, openFindings, type Family } from '../support/rows.ts'
import { testNow } from '../support/clock.ts'

let scene: FindingScene
beforeAll(async () => {
  scene = await FindingScene.open()
})
afterAll(() => scene.close())
beforeEach(() => scene.next())

/** Two SBOMs of one version, one of another, one without a version. */
async function addSboms(into: Family, [left, right, both]: [string, string, string]): Promise<string[]> {
  const one = await addVersion(scene.db, into, '1.0')
  const two = await addVersion(scene.db, into, '2.0')
  const now = testNow
  return [
    await addSbom(scene.db, into, { versionId: one, parts: [npm(left, '1.0.0')], now }),
    await addSbom(scene.db, into, { versionId: one, parts: [npm(right, '1.0.0'), npm(both, '3.0.0')], now }),
    await addSbom(scene.db, into, { versionId: two, parts: [npm(left, '1.0.0'), npm(both, '1.1.0')], now }),
    await addSbom(scene.db, into, { versionId: null, parts: [npm(right, '2.0.0')], now }),
  ]
}

async function outcome(of: Family, sbomIds: readonly string[]) {
  const sboms = await scene.db
    .selectFrom('sbom as s')
    .leftJoin('sbom_inventory as v', 'v.sbom_id', 's.id')
    .leftJoin('product_version as p', 'p.id', 's.version_id')
    .select(['s.id', 's.status', 's.matched_at', 's.active', 'p.name', 'v.coverage'])
    .where('s.family_id', '=', of.familyId)
    .execute()
  const findings = await openFindings(scene.db, of)
  return {
    sboms: sbomIds.map((wanted) => {
      const [found] = sboms.filter(({ id }) => id === wanted)
      return found === undefined ? undefined : { ...found, id: undefined }
    }),
    findings: findings.map(({ component, title, grade }) => `${component} ${title} ${grade}`).sort(),
  }
}

test('SBOMs that are matched together get the states, counts and findings of those matched one by one', async () => {
  const names: [string, string, string] = [scene.own('left'), scene.own('right'), scene.own('both')]
  for (const name of names) await addRecord(scene.db, simple(`GHSA-${name}`, name))
  const alone = await addFamily(scene.db, scene.workspaceId, 'alone')
  const aloneIds = await addSboms(alone, names)
  for (const sbomId of aloneIds)
    await matchSbom(scene.db, { workspaceId: scene.workspaceId, sbomId, now: testNow })
  const together = await addFamily(scene.db, scene.workspaceId, 'together')
  const togetherIds = await addSboms(together, names)
  await matchSboms(scene.db, { workspaceId: scene.workspaceId, sbomIds: togetherIds, now: testNow })
  const expected = await outcome(alone, aloneIds)
  expect(expected.findings).toHaveLength(3)
  expect(expected.sboms.map((sbom) => sbom?.status)).toEqual(Array(4).fill('matched'))
  expect(await outcome(together, togetherIds)).toEqual(expected)
  await matchSboms(scene.db, { workspaceId: scene.workspaceId, sbomIds: togetherIds, now: testNow })
  expect(await outcome(together, togetherIds)).toEqual(expected)
})

test('an SBOM that is gone, and one of another workspace, are passed over', async () => {
  const [first = ''] = await addSboms(scene.family, ['a', 'b', 'c'])
  const sbomIds = ['00000000-0000-7000-8000-0000000000ff', first]
  const foreign = '00000000-0000-7000-8000-0000000000fe'
  await matchSboms(scene.db, { workspaceId: foreign, sbomIds, now: testNow })
  expect((await outcome(scene.family, [first])).sboms).toMatchObject([{ status: 'parsed' }])
  await matchSboms(scene.db, { workspaceId: scene.workspaceId, sbomIds, now: testNow })
  expect((await outcome(scene.family, [first])).sboms).toMatchObject([{ status: 'matched' }])
})

test('a large SBOM, counted beside its findings, ends as a small one does, its next release as well', async () => {
  const names: [string, string, string] = [scene.own('x'), scene.own('y'), scene.own('z')]
  for (const name of names) await addRecord(scene.db, simple(`GHSA-${name}`, name))
  const small = await addFamily(scene.db, scene.workspaceId, 'small')
  const large = await addFamily(scene.db, scene.workspaceId, 'large')
  const smallIds = await addSboms(small, names)
  const largeIds = await addSboms(large, names)
  const columns = { component_count: 6_000 }
  await scene.db.updateTable('sbom').set(columns).where('family_id', '=', large.familyId).execute()
  for (const sbomId of [...smallIds, ...largeIds])
    await matchSbom(scene.db, { workspaceId: scene.workspaceId, sbomId, now: testNow })
  const expected = await outcome(small, smallIds)
  expect(expected.findings).toHaveLength(3)
  expect(await outcome(large, largeIds)).toEqual(expected)
  expect(await numbersOf(large)).toEqual(await numbersOf(small))
})

test('what a large SBOM shares with one that was never matched is matched with it', async () => {
  const name = scene.own('shared')
  await addRecord(scene.db, simple(`GHSA-${name}`, name))
  const [one, two] = [
    await addVersion(scene.db, scene.family, '1'),
    await addVersion(scene.db, scene.family, '2'),
  ]
  const parts = [npm(name, '1.0.0')]
  await addSbom(scene.db, scene.family, { versionId: one, parts })
  const sbomId = await addSbom(scene.db, scene.family, { versionId: two, parts })
  await scene.db.updateTable('sbom').set({ component_count: 6_000 }).where('id', '=', sbomId).execute()
  await matchSbom(scene.db, { workspaceId: scene.workspaceId, sbomId, now: testNow })
  expect(await openFindings(scene.db, scene.family)).toHaveLength(1)
})

/** The components of each SBOM, in SBOM order. */
async function numbersOf({ familyId }: Family): Promise<string[]> {
  const rows = await scene.db
    .selectFrom('sbom_inventory as v')
    .innerJoin('sbom as s', 's.id', 'v.sbom_id')
    .select('v.numbers')
    .where('s.family_id', '=', familyId)
    .orderBy('v.numbers')
    .execute()
  return rows.map(({ numbers }) => numbers)
}
