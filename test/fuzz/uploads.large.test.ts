import { afterAll, beforeAll, expect, it } from 'vitest'
import { UploadScene } from '../support/upload-scene.ts'
import { sendFuzzedUploads } from './send-uploads.ts'

let scene: UploadScene

beforeAll(async () => {
  scene = await UploadScene.open({ hasParserChildren: true })
})

afterAll(() => scene.close())

it.each([
  ['sboms', 400, 20],
  ['vex', 400, 20],
  ['connectors/dependency-track', 200, 10],
] as const)(
  'no mutated upload to %s is answered 5xx or outside the contract',
  async (target, count, some) => {
    const report = await sendFuzzedUploads({
      url: scene.http.url,
      token: () => scene.token(),
      target,
      firstSeed: 1,
      count,
      maxMs: 10_000,
    })
    expect(report.failures).toEqual([])
    expect(report.sent).toBe(count)
    expect(report.byStatus[202]).toBeGreaterThan(some)
    expect(report.byStatus[400]).toBeGreaterThan(some)
  },
  180_000,
)
