import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { UploadScene } from '../support/upload-scene.ts'

let scene: UploadScene

beforeAll(async () => {
  scene = await UploadScene.open({ hasParserChildren: { silentMs: 2_000 } })
})
afterAll(() => scene.close())

it('a parser child that is stopped before it begins a file is killed, and the next one reads it', async () => {
  while (!scene.http.parser.state().isReady) await sleep(20)
  const { pid } = scene.http.parser.state()
  if (pid === undefined) throw new Error('the parser child has no process id')
  process.kill(pid, 'SIGSTOP')
  const answers = await Promise.all([scene.upload(scene.sbom()), scene.upload(scene.sbom())])
  expect(answers).toMatchObject([{ status: 202 }, { status: 202 }])
  expect(scene.http.parser.state().pid).not.toBe(pid)
})
