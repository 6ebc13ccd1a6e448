import { afterAll, beforeAll, expect, it } from 'vitest'
import { UploadScene } from '../support/upload-scene.ts'
import { runSlowClients } from './scenarios/slow-clients.ts'

let scene: UploadScene

beforeAll(async () => {
  scene = await UploadScene.open()
})

afterAll(() => scene.close())

it(
  'slow headers and dripping uploads are given up, and others are served meanwhile',
  { timeout: 180_000 },
  async () => {
    const tokens = [await scene.token()]
    const options = { port: scene.http.port, headers: 10, uploads: 5, tokens, withinMs: 120_000 }
    expect((await runSlowClients(options)).failures).toEqual([])
  },
)
