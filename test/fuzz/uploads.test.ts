import { afterAll, beforeAll, expect, it } from 'vitest'
import { UploadScene } from '../support/upload-scene.ts'
import { sendFuzzedUploads } from './send-uploads.ts'

let scene: UploadScene

beforeAll(async () => {
  scene = await UploadScene.open()
})

afterAll(() => scene.close())

it('no mutated upload is answered 5xx or outside the contract', async () => {
  const report = await sendFuzzedUploads({
    url: scene.http.url,
    token: () => scene.token(),
    firstSeed: 1,
    count: 400,
    maxMs: 10_000,
  })
  expect(report.failures).toEqual([])
  expect(report.sent).toBe(400)
  expect(report.byStatus[202]).toBeGreaterThan(20)
  expect(report.byStatus[400]).toBeGreaterThan(20)
}, 180_000)
