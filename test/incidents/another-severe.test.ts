import { afterAll, beforeAll, expect, test } from 'vitest'
import { openIncident, listIncidents } from '../../src/contract/incidents/operations.ts'
import type { BodyOf } from '../../src/contract/operation.ts'
import { openPeopleScene, type PeopleScene } from '../people/people-scene.ts'
import type { AppSession } from '../support/app-session.ts'
import { refusalIn, textIn } from '../support/read-as.ts'
import { addFamily } from '../support/rows.ts'

let scene: PeopleScene
let eva: AppSession
let per: AppSession
let umbrella: AppSession
let families = 0

beforeAll(async () => {
  scene = await openPeopleScene()
  scene.now = new Date('2026-11-02T10:00:00.000Z')
  eva = await scene.signIn('editor')
  per = await scene.signIn('lead')
  umbrella = await scene.signIn('editor', 'umbrella')
})
afterAll(() => scene.close())

async function newFamily(slug = 'acme'): Promise<string> {
  const { db } = scene.database
  const workspace = await db.selectFrom('workspace').select('id').where('slug', '=', slug).executeTakeFirst()
  const { familyId } = await addFamily(db, workspace?.id ?? '', `Product ${(families += 1)}`)
  return familyId
}

const stolen = (more: Partial<BodyOf<typeof openIncident>> = {}) => ({
  body: { kind: 'severe_incident' as const, title: 'Signing key stolen', families: [], ...more },
})
const ask = { isAnother: false }
const countOpen = async () => (await eva.call(listIncidents)).total

test('of two who open a severe incident on one product at once, one is told of what the other has opened', async () => {
  const [pump, valve] = [await newFamily(), await newFamily()]
  const before = await countOpen()
  const answers = await Promise.all([
    eva.ask(openIncident, stolen({ ...ask, families: [pump] })),
    per.ask(openIncident, stolen({ ...ask, title: 'Key is gone', families: [valve, pump] })),
  ])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
  const opened = answers.find(({ status }) => status === 201)?.body
  const refused = answers.find(({ status }) => status === 409)?.body
  expect(refused).toMatchObject({ error: 'conflict', detail: textIn(opened, 'id') })
  expect(refusalIn(refused).message).toMatch(
    new RegExp(
      `^${textIn(opened, 'reference')} is open in one of these product families: “(Signing key stolen|Key is gone)”, opened by .+ at 2 Nov 2026, 10:00:00 UTC\\.$`,
    ),
  )
  expect(await countOpen()).toBe(before + 1)
  const words = answers.findIndex(({ status }) => status === 409) === 0 ? eva : per
  await words.call(openIncident, stolen({ isAnother: true, families: [pump] }))
  expect(await countOpen()).toBe(before + 2)
})

test('whoever does not ask, and whoever opens something else, is not refused', async () => {
  const [pump, valve] = [await newFamily(), await newFamily()]
  await eva.call(openIncident, stolen({ ...ask, families: [pump] }))
  await per.call(openIncident, stolen({ families: [pump] }))
  await per.call(openIncident, stolen({ ...ask, families: [valve] }))
  await per.call(openIncident, stolen({ ...ask, isExercise: true, families: [pump] }))
  const flaw = { kind: 'vulnerability' as const, vulnerability: 'CVE-2026-4242' }
  await per.call(openIncident, stolen({ ...ask, ...flaw, families: [pump] }))
})

test('drills, closed ones and those of other workspaces are not told of', async () => {
  const pump = await newFamily()
  await eva.call(openIncident, stolen({ isExercise: true, families: [pump] }))
  const { id } = await eva.call(openIncident, stolen({ families: [pump] }))
  await umbrella.call(openIncident, stolen())
  const elsewhere = await umbrella.call(openIncident, stolen({ families: [await newFamily('umbrella')] }))
  await scene.database.db
    .updateTable('incident')
    .set({ status: 'closed', closed_at: scene.now, closed_by_name: 'lead', close_reason: 'Done.' })
    .where('id', '=', id)
    .execute()
  await per.call(openIncident, stolen({ ...ask, families: [pump] }))
  const none = await per.call(openIncident, stolen(ask))
  const second = await eva.refused(openIncident, stolen(ask))
  expect(second.body).toMatchObject({ detail: none.id })
  expect(second.body.message).toContain(`${none.reference} is open and names no product family either: `)
  expect(JSON.stringify(second.body)).not.toContain(elsewhere.id)
})
