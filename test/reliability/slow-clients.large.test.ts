import { afterAll, beforeAll, expect, it } from 'vitest'
import { requestTimeoutMs } from '../../src/http/exchange/create-app.ts'
import { UploadScene } from '../support/upload-scene.ts'
import { runSlowClients } from './scenarios/slow-clients.ts'

/** Longer than the header limit; the default request limit would mean waiting a minute for the same result. */
const requestMs = 16_000
let scene: UploadScene

beforeAll(async () => {
  scene = await UploadScene.open({ hasParserChildren: true, requestMs })
})

afterAll(() => scene.close())

it(
  'slow headers and dripping uploads are given up, and others are served meanwhile',
  { timeout: 180_000 },
  async () => {
    const tokens = [await scene.token()]
    const options = { port: scene.http.port, headers: 10, uploads: 5, tokens, withinMs: 2 * requestMs }
    expect((await runSlowClients(options)).failures).toEqual([])
    // with the check every two seconds
    expect(requestTimeoutMs + 2_000).toBeLessThanOrEqual(60_000)
  },
)
