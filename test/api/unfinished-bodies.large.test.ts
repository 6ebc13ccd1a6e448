import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import { SlowClient } from '../reliability/scenarios/slow-clients.ts'
import { call, startTestHttp, type TestHttp } from '../support/http.ts'
import { UploadScene } from '../support/upload-scene.ts'
import { testNow } from '../support/clock.ts'

let scene: UploadScene
/** A server that requires 100 kB of a body every tenth of a second. */
let hurried: TestHttp
let clients: SlowClient[] = []

beforeAll(async () => {
  scene = await UploadScene.open({ hasParserChildren: true })
  const pace = { windowMs: 100, bytesPerWindow: 100_000, checkEveryMs: 25 }
  // and with space for a single body
  const bodyBounds = { maxBytes: 1024 * 1024, maxBodies: 1 }
  hurried = await startTestHttp({
    database: scene.database,
    now: () => testNow,
    pace,
    bodyBounds,
    hasParserChildren: true,
  })
})

afterEach(async () => {
  for (const { socket } of clients) socket.destroy()
  clients = []
  while ((await arriving()).bodies > 0) await sleep(5)
})

afterAll(async () => {
  await hurried.stop()
  await scene.close()
})

/** The server's count of unfinished bodies. */
async function arriving(): Promise<{ bodies: number; bytes: number }> {
  const text = await scene.http.metrics()
  const of = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1])
  return { bodies: of('sbom_monitor_request_bodies'), bytes: of('sbom_monitor_request_body_bytes') }
}

const patience = { timeout: 120_000 }
const almostAll = limits.bodySentBytes - 300_000

/** Seventy uploads of one workspace that stall: 270 MB where 256 are allowed. */
async function stallSeventy(): Promise<void> {
  const tokens = [await scene.token(), await scene.token()]
  const sent = { announced: limits.bodySentBytes, sent: almostAll }
  clients = await Promise.all(
    Array.from({ length: 70 }, (_, place) =>
      SlowClient.upload(scene.http.port, { token: tokens[place % 2] ?? '', ...sent }),
    ),
  )
  while (!clients.some(({ answer }) => answer !== '')) await sleep(5)
}

describe('bodies that stall', patience, () => {
  it('shut out nobody of another workspace, and no other sender of their own', async () => {
    await stallSeventy()
    expect((await arriving()).bytes).toBeLessThanOrEqual(256 * 1024 * 1024)
    const theirs = await scene.upload(scene.sbom(), { token: await scene.token(scene.other) })
    expect(theirs).toMatchObject({ status: 202 })
    const large = await scene.upload(Buffer.alloc(almostAll, 32), { token: await scene.token(scene.other) })
    expect(large).toMatchObject({ status: 400, body: { error: 'invalid_json' } })
    expect(await scene.upload(scene.sbom())).toMatchObject({ status: 202 })
    const refused = clients.find(({ answer }) => answer !== '')?.answer ?? ''
    // a slow machine may break the pace before it uses up the memory
    expect(refused).toMatch(
      /^HTTP\/1\.1 (?:500 [\s\S]*retry-after: 5[\s\S]*"error":"internal"|408 [\s\S]*too slowly)/i,
    )
  })

  it('take memory for what has come, not for what was announced', async () => {
    const token = await scene.token()
    const sent = { token, announced: limits.bodySentBytes, sent: 100 }
    clients = await Promise.all(Array.from({ length: 50 }, () => SlowClient.upload(scene.http.port, sent)))
    while ((await arriving()).bodies < 50) await sleep(5)
    expect((await arriving()).bytes).toBeLessThanOrEqual(50 * 16 * 1024)
  })
})

describe('a body that comes too slowly', patience, () => {
  it('is given up: 408 timeout, and the connection closes', async () => {
    const client = await SlowClient.upload(hurried.port, {
      token: await scene.token(),
      announced: 50_000,
      sent: 10,
    })
    await client.closed
    expect(client.answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*connection: close[\s\S]*"error":"timeout"/i)
  })

  it('is one whose announced length comes byte by byte', async () => {
    const client = await SlowClient.upload(hurried.port, {
      token: await scene.token(),
      announced: 50_000,
      sent: 0,
    })
    while (!client.isClosed && client.answer === '') {
      client.socket.write('x')
      await sleep(5)
    }
    client.socket.destroy()
    expect(client.answer).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('goes on while there is room for others', async () => {
    const pace = { windowMs: 100, bytesPerWindow: 100_000, checkEveryMs: 25 }
    const roomy = await startTestHttp({
      database: scene.database,
      now: () => testNow,
      pace,
      hasParserChildren: true,
    })
    const client = await SlowClient.upload(roomy.port, {
      token: await scene.token(),
      announced: 50_000,
      sent: 10,
    })
    await sleep(1_000)
    expect(client.answer).toBe('')
    client.socket.destroy()
    await roomy.stop()
  })

  it('is not one that is whole at once', async () => {
    const url = `${hurried.url}/api/v1/sboms`
    const answer = await call(url, { method: 'POST', token: await scene.token(), body: scene.sbom() })
    expect(answer).toMatchObject({ status: 202 })
  })
})
