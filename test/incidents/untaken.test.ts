import { afterEach, beforeEach, expect, test } from 'vitest'
import { assignIncident } from '../../src/incidents/record/people.ts'
import { entryWords } from '../../src/contract/incidents/entry-words.ts'
import { releaseIncidents } from '../../src/incidents/record/release-incidents.ts'
import { remindOfUntaken } from '../../src/incidents/record/remind-of-untaken.ts'
import { describeIncident } from '../../src/incidents/reads/describe-incident.ts'
import { after, createIncidentScene, start, type IncidentScene } from './incident-scene.ts'
import { openExploited } from './opened.ts'
import { changeRole, removeMember } from '../../src/people/members/change-member.ts'
import type { MemberAct } from '../../src/people/members/owner-rules.ts'
import { drain } from '../support/drain.ts'
import { waitingOf } from '../support/payloads.ts'

let scene: IncidentScene
beforeEach(async () => {
  scene = await createIncidentScene()
})
afterEach(async () => {
  await scene.drop()
})

const minutes = (count: number) => after(count / 60)

/** What the schedule does with them. */
async function work(now: number): Promise<void> {
  await releaseIncidents(scene.db, minutes(now))
  await remindOfUntaken(scene.db, minutes(now))
}

/** The notices so far: the subject of each, and since when. */
async function told() {
  const told = await waitingOf(scene.db, 'send_mail')
  return told.flatMap(({ fact }) => (fact.type === 'incident.untaken' ? [fact.data] : []))
}

async function detail(incidentId: string) {
  const lead = await scene.member('lead', 'Someone')
  const asking = { workspaceId: scene.workspaceId, personId: lead.id, role: 'lead' as const }
  return describeIncident(scene.db, asking, { incidentId, now: after(1) })
}

test('an incident without an assignee is told of after half an hour, an hour and two hours, each once', async () => {
  const id = await openExploited(scene)
  expect((await detail(id)).untakenSince).toBe(start.toISOString())
  for (const [now, times] of [
    [29.9, 0],
    [30, 1],
    [45, 1],
    [60, 2],
    [119, 2],
    [120, 3],
    [1_000, 3],
  ] as const) {
    await Promise.all([remindOfUntaken(scene.db, minutes(now)), remindOfUntaken(scene.db, minutes(now))])
    await remindOfUntaken(scene.db, minutes(now))
    expect(await told(), `${now} min`).toHaveLength(times)
  }
  expect((await told())[0]).toMatchObject({ incidents: [{ id }], more: 0, since: start.toISOString() })
})

test('somebody who takes it ends that; given back, it begins again from then', async () => {
  const id = await openExploited(scene)
  const editor = await scene.member('editor')
  const act = { workspaceId: scene.workspaceId, incidentId: id, actor: editor }
  await assignIncident(scene.db, { ...act, now: minutes(20) }, editor.id)
  expect((await detail(id)).untakenSince).toBeNull()
  await remindOfUntaken(scene.db, minutes(90))
  expect(await told()).toEqual([])
  await assignIncident(scene.db, { ...act, now: minutes(100) }, null)
  expect((await detail(id)).untakenSince).toBe(minutes(100).toISOString())
  await remindOfUntaken(scene.db, minutes(129))
  expect(await told()).toEqual([])
  await remindOfUntaken(scene.db, minutes(131))
  expect(await told()).toHaveLength(1)
})

test.each([
  ['left the workspace', { removed_at: minutes(60) }],
  ['may only read', { role: 'viewer' as const }],
])('an assignee who has %s no longer has it: members are reminded', async (_what, change) => {
  const id = await openExploited(scene)
  const drill = await openExploited(scene, { family: 'Motor' })
  await scene.db.updateTable('incident').set({ is_exercise: true }).where('id', '=', drill).execute()
  const eva = await scene.member('editor', 'Eva')
  for (const incidentId of [id, drill])
    await assignIncident(
      scene.db,
      { workspaceId: scene.workspaceId, incidentId, actor: eva, now: minutes(20) },
      eva.id,
    )
  await work(59)
  expect((await detail(id)).assignee).toMatchObject({ name: 'Eva' })
  await scene.db.updateTable('member').set(change).where('person_id', '=', eva.id).execute()
  await work(60)
  await work(61)
  for (const incidentId of [id, drill])
    expect(await detail(incidentId)).toMatchObject({
      assignee: null,
      untakenSince: minutes(60).toISOString(),
    })
  const { data } = await scene.db
    .selectFrom('incident_entry')
    .select('data')
    .where('incident_id', '=', id)
    .where('kind', '=', 'assigned')
    .where('actor_kind', '=', 'system')
    .executeTakeFirstOrThrow()
  expect(entryWords({ kind: 'assigned', data })).toBe(
    'Removed the assignee: Eva can no longer work on incidents here.',
  )
  expect(await told()).toEqual([])
  await work(90)
  expect(await told()).toMatchObject([{ incidents: [{ id }], more: 0, since: minutes(60).toISOString() }])
})

test.each<[string, (act: MemberAct, personId: string) => Promise<void>]>([
  ['removed', (act, personId) => removeMember(scene.db, act, personId)],
  ['made a viewer', (act, personId) => changeRole(scene.db, act, { personId, role: 'viewer' })],
])('whoever is %s no longer has their incidents, before the schedule looks', async (_what, end) => {
  const [id, others] = [await openExploited(scene), await openExploited(scene, { family: 'Motor' })]
  const { workspaceId } = scene
  const [owner, eva, tom] = [
    await scene.member('owner'),
    await scene.member('editor', 'Eva'),
    await scene.member('editor', 'Tom'),
  ]
  const give = (incidentId: string, { id: personId }: { id: string }) =>
    assignIncident(scene.db, { workspaceId, incidentId, actor: owner, now: minutes(20) }, personId)
  await give(id, eva)
  await give(others, tom)
  await drain(scene.db, minutes(20))
  expect((await detail(id)).assignee).toMatchObject({ name: 'Eva' })
  await end({ workspaceId, role: 'owner', actor: owner, now: minutes(30) }, eva.id)
  await drain(scene.db, minutes(30))
  expect(await detail(id)).toMatchObject({ assignee: null, untakenSince: minutes(30).toISOString() })
  expect((await detail(others)).assignee).toMatchObject({ name: 'Tom' })
})

test('while the workspace is read-only nobody can take it: members are reminded once they can', async () => {
  const id = await openExploited(scene)
  const put = (plan: 'free' | 'core', suspended_at: Date | null = null) =>
    scene.db
      .updateTable('workspace')
      .set({ plan, suspended_at })
      .where('id', '=', scene.workspaceId)
      .execute()
  await put('free')
  await work(40)
  await put('core', minutes(40))
  await work(200)
  expect(await told()).toEqual([])
  await put('core')
  await work(300)
  expect(await told()).toMatchObject([{ incidents: [{ id }], since: start.toISOString() }])
})

test('several are one notice for the workspace, what an outage missed is told once, and drills not at all', async () => {
  const ids = [
    await openExploited(scene, { family: 'Pump' }),
    await openExploited(scene, { family: 'Valve' }),
  ]
  const drill = await openExploited(scene, { family: 'Motor' })
  await scene.db.updateTable('incident').set({ is_exercise: true }).where('id', '=', drill).execute()
  await remindOfUntaken(scene.db, minutes(600))
  const [notice, ...others] = await told()
  expect(others).toEqual([])
  expect(notice?.incidents.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
})

test('those that opened at the same moment are named in the order of their references, on the page of each other too', async () => {
  const ids: string[] = []
  for (const number of [1, 2, 3, 4, 5, 6, 7])
    ids.push(await openExploited(scene, { family: `Pump ${number}` }))
  await remindOfUntaken(scene.db, minutes(60))
  const [notice] = await told()
  expect(notice?.incidents.map(({ id }) => id)).toEqual(ids.slice(0, 5))
  expect(notice?.more).toBe(2)
  const { related } = await detail(ids[3] ?? '')
  expect(related.map(({ id }) => id)).toEqual(ids.filter((id) => id !== ids[3]))
})
