import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { identifiedOtherwise } from '../sbom/identified-otherwise.ts'
import { RetentionScene, type Uploading } from '../sbom/retention-scene.ts'
import { addExploited, addRecord } from '../support/records.ts'

let scene: RetentionScene
beforeAll(async () => {
  scene = await RetentionScene.open()
  const affected = [
    { ecosystem: 'npm', name: 'exploited', scheme: 'semver', ranges: [['0', '2.0.0']] },
  ] as const
  await addRecord(scene.db, { id: 'CVE-2026-3001', affected })
  await addExploited(scene.db, { source: 'kev', cveId: 'CVE-2026-3001' })
})
afterAll(() => scene.close())

const incidentsOn = ({ familyId }: Uploading) =>
  scene.db
    .selectFrom('incident_family as y')
    .innerJoin('incident as i', 'i.id', 'y.incident_id')
    .select(['i.id', 'i.closed_at'])
    .where('y.family_id', '=', familyId)
    .execute()

async function timelineOf(incidentId: string): Promise<string[]> {
  const rows = await scene.db
    .selectFrom('incident_entry')
    .select('kind')
    .where('incident_id', '=', incidentId)
    .orderBy('id')
    .execute()
  return rows.map(({ kind }) => kind)
}

async function affected({ familyId }: Uploading) {
  return scene.db
    .selectFrom('incident_affected as a')
    .innerJoin('finding as f', (join) =>
      join.onRef('f.identity_id', '=', 'a.identity_id').onRef('f.family_id', '=', 'a.family_id'),
    )
    .select(['a.component', 'a.noted_gone', 'f.closed_at'])
    .where('a.family_id', '=', familyId)
    .execute()
}

it('an open incident goes on about a component that an update identifies as another one', async () => {
  const family = await scene.family()
  const id = await scene.upload(family, ['exploited'])
  await identifiedOtherwise(scene, family, id)
  await scene.settle()
  const [incident, ...others] = await incidentsOn(family)
  expect(others).toEqual([])
  expect(await timelineOf(incident?.id ?? '')).toEqual(['opened'])
  expect(await affected(family)).toEqual([{ component: 'exploited', noted_gone: false, closed_at: null }])
  // and hears when it does leave
  await scene.upload(family, ['another'])
  expect(await timelineOf(incident?.id ?? '')).toEqual(['opened', 'left_sbom'])
})

it('a closed incident does not open again for it', async () => {
  const family = await scene.family()
  const id = await scene.upload(family, ['exploited'])
  const [incident] = await incidentsOn(family)
  const closing = {
    status: 'closed',
    closed_at: scene.now,
    close_reason: 'Done.',
    closed_by_name: 'Olga',
  } as const
  await scene.db
    .updateTable('incident')
    .set(closing)
    .where('id', '=', incident?.id ?? '')
    .execute()
  await scene.db
    .updateTable('incident_family')
    .set({ is_open: false })
    .where('family_id', '=', family.familyId)
    .execute()
  await identifiedOtherwise(scene, family, id)
  await scene.settle()
  expect(await incidentsOn(family)).toHaveLength(1)
})

it('a match that somebody has put aside stays so', async () => {
  const family = await scene.family()
  const id = await scene.upload(family, ['exploited'])
  const matches = () =>
    scene.db
      .selectFrom('finding')
      .select(['workspace_id', 'family_id', 'version_id', 'identity_id', 'group_id'])
      .where('family_id', '=', family.familyId)
      .where('closed_at', 'is', null)
      .executeTakeFirstOrThrow()
  const putAside = {
    id: randomUUID(),
    reason: 'The package is removed from the build.',
    dismissed_at: scene.now,
    dismissed_by_name: 'Olga',
  }
  await scene.db
    .insertInto('dismissed_match')
    .values({ ...putAside, ...(await matches()) })
    .execute()
  await identifiedOtherwise(scene, family, id)
  await scene.settle()
  const kept = scene.db.selectFrom('dismissed_match').selectAll().where('family_id', '=', family.familyId)
  expect(await kept.execute()).toEqual([{ ...putAside, ...(await matches()) }])
})
