import { afterAll, beforeAll, expect, test } from 'vitest'
import { openActScene, reportOf, type ActScene } from './act-scene.ts'

let scene: ActScene
beforeAll(async () => {
  scene = await openActScene()
})
afterAll(() => scene.close())

test('who has a draft open, who writes in it and which state is the newest is answered to the others', async () => {
  const report = reportOf(await scene.openIn('open'))
  const seen = async (role: 'editor' | 'lead', isWriting: boolean) =>
    (await scene.ask(role, `${report}/draft/presence`, { isWriting })).body
  expect(await seen('editor', false)).toEqual({ others: [], revision: 0 })
  const [{ name }] = ((await seen('lead', true)) as { others: [{ name: string }] }).others
  expect(await seen('lead', true)).toEqual({ others: [{ name, isWriting: false }], revision: 0 })
  await scene.done(scene.ask('lead', `${report}/draft`, { revision: 0, values: { '3': 'x' } }, 'PATCH'))
  expect(await seen('editor', false)).toMatchObject({ others: [{ isWriting: true }], revision: 1 })
  scene.wait(40)
  expect(await seen('editor', false)).toEqual({ others: [], revision: 1 })
})

test('it works while the workspace is read-only, as the draft itself does, and not once it is closed', async () => {
  const report = reportOf(await scene.openIn('open'))
  const ask = () => scene.ask('editor', `${report}/draft/presence`, { isWriting: true })
  await scene.bring('free')
  expect((await ask()).status).toBe(200)
  await scene.bring('closed workspace')
  expect((await ask()).status).not.toBe(200)
  await scene.bring('open')
})
