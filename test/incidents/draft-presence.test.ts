import { afterAll, beforeAll, expect, test } from 'vitest'
import { saveDraft, showDraftPresence } from '../../src/contract/incidents/report-operations.ts'
import { openActScene, reportOf, type ActScene } from './act-scene.ts'

let scene: ActScene
beforeAll(async () => {
  scene = await openActScene()
})
afterAll(() => scene.close())

test('others are told who has a draft open, who writes in it and which state is the newest', async () => {
  const report = reportOf(await scene.openIn('open'))
  const seen = (role: 'editor' | 'lead', isWriting: boolean) =>
    scene.as(role).call(showDraftPresence, { params: report, body: { isWriting } })
  expect(await seen('editor', false)).toEqual({ others: [], revision: 0 })
  const [other] = (await seen('lead', true)).others
  expect(await seen('lead', true)).toEqual({ others: [{ name: other?.name, isWriting: false }], revision: 0 })
  await scene.as('lead').call(saveDraft, { params: report, body: { revision: 0, values: { '3': 'x' } } })
  expect(await seen('editor', false)).toMatchObject({ others: [{ isWriting: true }], revision: 1 })
  scene.wait(40)
  expect(await seen('editor', false)).toEqual({ others: [], revision: 1 })
})

test('it works while the workspace is read-only, as the draft itself does, and not once it is closed', async () => {
  const report = reportOf(await scene.openIn('open'))
  const ask = () => scene.as('editor').ask(showDraftPresence, { params: report, body: { isWriting: true } })
  await scene.bring('free')
  expect((await ask()).status).toBe(200)
  await scene.bring('closed workspace')
  expect((await ask()).status).not.toBe(200)
  await scene.bring('open')
})
