import { afterEach, beforeEach, expect, test } from 'vitest'
import { getDraft } from '../../src/incidents/drafts/read-draft.ts'
import { copyDraft, saveDraft } from '../../src/incidents/drafts/save-draft.ts'
import { linkIncidents } from '../../src/incidents/openings/link-incidents.ts'
import { openManually } from '../../src/incidents/openings/open-manually.ts'
import { selectDeadlineGroups } from '../../src/incidents/reads/group-deadlines.ts'
import { listIncidents } from '../../src/incidents/reads/list-incidents.ts'
import { describeOverview } from '../../src/views/overview.ts'
import { describeIncident } from '../../src/incidents/reads/describe-incident.ts'
import { after, createIncidentScene, start, type IncidentScene } from './incident-scene.ts'
import { exploited, openExploited } from './opened.ts'

let scene: IncidentScene
beforeEach(async () => {
  scene = await createIncidentScene()
})
afterEach(async () => {
  await scene.drop()
})

/** An incident opened by the catalogue, and one opened by hand under another id that is not linked to it yet. */
async function openTwo(vulnerability: string) {
  const matched = await openExploited(scene)
  const lead = await scene.member('lead')
  const valve = await scene.family('Valve')
  const given = {
    kind: 'vulnerability' as const,
    title: 'Seen in the field',
    families: [valve.familyId],
    vulnerability,
  }
  const { id } = await openManually(
    scene.db,
    { workspaceId: scene.workspaceId, actor: lead, now: start },
    given,
  )
  const related = async (incidentId: string) => {
    const asking = { workspaceId: scene.workspaceId, personId: lead.id, role: 'lead' as const }
    const detail = await describeIncident(scene.db, asking, { incidentId, now: after(2) })
    return detail.related.map((one) => [one.id, one.relation])
  }
  await linkIncidents(scene.db, after(1))
  expect(await related(matched)).toEqual([])
  return { matched, manual: id, lead, related }
}

async function expectLinked({
  matched,
  manual,
  related,
}: Awaited<ReturnType<typeof openTwo>>): Promise<void> {
  await Promise.all([linkIncidents(scene.db, after(2)), linkIncidents(scene.db, after(2))])
  await linkIncidents(scene.db, after(3))
  expect(await related(matched)).toEqual([[manual, 'same_vulnerability']])
  expect(await related(manual)).toEqual([[matched, 'same_vulnerability']])
  for (const id of [matched, manual])
    expect((await scene.entries(id)).filter((kind) => kind === 'linked')).toHaveLength(1)
  expect((await scene.incidents('open')).map(({ id }) => id).toSorted()).toEqual([matched, manual].toSorted())
}

test('two that the mapping of EUVD ids makes one are linked both ways, once, and stay open', async () => {
  const two = await openTwo('EUVD-2026-77')
  await scene.db.insertInto('euvd_mapping').values({ euvd_id: 'EUVD-2026-77', cve_id: exploited }).execute()
  await expectLinked(two)
})

test('two that an alias makes one are linked, and the draft of one is copied to the other', async () => {
  const two = await openTwo('GHSA-9abc-9abc-9abc')
  await scene.addRecord(scene.record('GHSA-9abc-9abc-9abc', 'other-lib', { aliases: [exploited] }))
  await expectLinked(two)
  const draftOf = async (incidentId: string) => {
    const report = (await scene.reports(incidentId)).find((one) => one.report === 'early_warning')
    const place = { workspaceId: scene.workspaceId, incidentId, reportId: report?.id ?? '' }
    return { ...place, actor: two.lead, now: after(4) }
  }
  await saveDraft(scene.db, await draftOf(two.matched), { revision: 0, values: { '14': 'Switch it off.' } })
  const own = await draftOf(two.manual)
  expect((await getDraft(scene.db, own)).siblings.map(({ incidentId }) => incidentId)).toEqual([two.matched])
  const copied = await copyDraft(scene.db, own, { from: two.matched, revision: 0 })
  expect(copied.values).toMatchObject({ '14': 'Switch it off.' })
})

test('two that are one are one deadline of each report, and are found under the ids of both', async () => {
  const two = await openTwo('EUVD-2026-77')
  const { workspaceId } = scene
  const groups = async () => {
    const found = await selectDeadlineGroups(scene.db, { workspaceId, max: 20, now: after(2) })
    return found.map(({ report, incidents }) => [report, incidents])
  }
  const asking = { workspaceId, personId: two.lead.id, role: 'lead' as const }
  const total = async () => (await describeOverview(scene.db, asking, after(2))).deadlinesTotal
  const linkedRows = async () => {
    const { rows } = await listIncidents(scene.db, asking, { status: 'open', now: after(2) })
    return new Map(rows.map(({ id, sameAs }) => [id, sameAs]))
  }
  const under = async (vulnerability: string) => {
    const query = { status: 'open' as const, vulnerability, now: after(2) }
    return (await listIncidents(scene.db, asking, query)).rows.map(({ id }) => id).toSorted()
  }
  expect([await groups(), await total()]).toEqual([
    [
      ['early_warning', 1],
      ['early_warning', 1],
      ['notification', 1],
      ['notification', 1],
    ],
    4,
  ])
  await scene.db.insertInto('euvd_mapping').values({ euvd_id: 'EUVD-2026-77', cve_id: exploited }).execute()
  await linkIncidents(scene.db, after(2))
  expect(await linkedRows()).toEqual(
    new Map([
      [two.matched, [two.manual]],
      [two.manual, [two.matched]],
    ]),
  )
  expect([await groups(), await total()]).toEqual([
    [
      ['early_warning', 2],
      ['notification', 2],
    ],
    2,
  ])
  for (const id of [exploited, 'EUVD-2026-77'])
    expect(await under(id)).toEqual([two.matched, two.manual].toSorted())
})

test('in a workspace that is moving, nothing is written: the installation that takes it in links them', async () => {
  const two = await openTwo('EUVD-2026-77')
  await scene.db.insertInto('euvd_mapping').values({ euvd_id: 'EUVD-2026-77', cve_id: exploited }).execute()
  const put = (moving_at: Date | null) =>
    scene.db.updateTable('workspace').set({ moving_at }).where('id', '=', scene.workspaceId).execute()
  await put(after(1))
  await linkIncidents(scene.db, after(2))
  expect(await two.related(two.manual)).toEqual([])
  expect(await scene.entries(two.manual)).not.toContain('linked')
  await put(null)
  await expectLinked(two)
})
