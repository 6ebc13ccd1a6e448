import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SlowClient } from '../reliability/scenarios/slow-clients.ts'
import { testNow } from '../support/clock.ts'
import { call, startTestHttp, type TestHttp } from '../support/http.ts'
import { UploadScene } from '../support/upload-scene.ts'

type Line = Record<string, unknown>

let scene: UploadScene
let http: TestHttp
let lines: Line[] = []

beforeAll(async () => {
  scene = await UploadScene.open({ hasParserChildren: true })
  const write = (text: string) => void lines.push(JSON.parse(text) as Line)
  http = await startTestHttp({
    database: scene.database,
    now: () => testNow,
    log: pino({ level: 'info' }, { write }),
    hasParserChildren: true,
  })
})
afterAll(async () => {
  await http.stop()
  await scene.close()
})

const requestLines = () => lines.filter(({ msg }) => msg === 'request')

it('logs and counts a request whose client hangs up as 499, once, with whose it was', async () => {
  lines = []
  const token = await scene.token()
  const client = await SlowClient.upload(http.port, { token, announced: 50_000, sent: 100 })
  while (!(await http.metrics()).includes('sbom_monitor_request_bodies 1')) await sleep(5)
  client.socket.resetAndDestroy()
  while (requestLines().length === 0) await sleep(5)
  // the handler's later result is not a second answer
  while (!(await http.metrics()).includes('sbom_monitor_request_bodies 0')) await sleep(5)
  await call(`${http.url}/healthz`)
  while (requestLines().length === 1) await sleep(5)
  expect(requestLines()).toEqual([
    expect.objectContaining({ method: 'POST', path: '/api/v1/sboms', status: 499 }),
    expect.objectContaining({ path: '/healthz', status: 200 }),
  ])
  expect(requestLines()[0]).toMatchObject({ workspaceId: scene.company.workspaceId })
  expect(await http.metrics()).toContain(
    'sbom_monitor_http_request_duration_seconds_count{method="POST",route="/api/v1/sboms",status="499"} 1',
  )
})

it('logs what it has said to a body that is no whole one', async () => {
  const token = await scene.token()
  const head = `POST /api/v1/sboms HTTP/1.1\r\nhost: h\r\nauthorization: Bearer ${token}\r\n`
  const bodies = ['transfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\nno chunk', 'content-length: 10\r\n\r\n{']
  for (const body of bodies) {
    lines = []
    const socket = connect({ port: http.port, host: '127.0.0.1', allowHalfOpen: true })
    socket.end(head + body)
    let answer = ''
    for await (const part of socket) answer += String(part)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    while (requestLines().length === 0) await sleep(5)
    await sleep(50)
    expect(requestLines()).toEqual([expect.objectContaining({ path: '/api/v1/sboms', status: 400 })])
  }
})
