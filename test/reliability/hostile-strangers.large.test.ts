import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { appOperations } from '../../src/http/app/operations.ts'
import { testNow } from '../support/clock.ts'
import { startTestHttp } from '../support/http.ts'
import { UploadScene } from '../support/upload-scene.ts'
import { sendHostileBodies } from './scenarios/hostile-strangers.ts'

let scene: UploadScene
beforeAll(async () => {
  scene = await UploadScene.open({ hasParserChildren: true })
})
afterAll(() => scene.close())

const operations = appOperations.filter(({ body }) => body === 'json')

describe('a stranger', { timeout: 180_000 }, () => {
  it('keeps nobody waiting, whatever is sent to whichever operation', async () => {
    expect(operations.length).toBeGreaterThan(80)
    const { figures, failures } = await sendHostileBodies({ port: scene.http.port, operations, every: 9 })
    expect(failures).toEqual([])
    // the exact figure is measured by assure: a test machine is busy
    expect(figures['otherMaxMs']).toBeLessThan(10_000)
    expect(await scene.http.metrics()).toMatch(/^sbom_monitor_request_bodies 0$/m)
  })
})

describe('a client that reads nothing of its answer', () => {
  it('is ended, and one that waits for an answer is not', { timeout: 60_000 }, async () => {
    const reader = await startTestHttp({ database: scene.database, now: () => testNow, stalledMs: 500 })
    const deaf = connect(reader.port, '127.0.0.1').on('error', () => undefined)
    deaf.pause()
    // more answers than the system buffers for a reader
    const asking = setInterval(() => deaf.write('GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'), 1)
    await new Promise((resolve) => deaf.on('close', resolve))
    clearInterval(asking)
    await reader.stop()
  })
})

describe('a request whose client has sent all and closed its half', () => {
  it.each([
    ['a health check', 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n', 200],
    ['what is not in a feed', 'GET /csaf/none/provider-metadata.json HTTP/1.1\r\nHost: x\r\n\r\n', 404],
    ['a body', 'POST /api/app/session HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}', 400],
    ['an upload', 'POST /api/v1/sboms HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}', 401],
  ])('has its answer: %s', async (_what, sent, status) => {
    const socket = connect({ port: scene.http.port, host: '127.0.0.1', allowHalfOpen: true })
    await once(socket, 'connect')
    socket.end(sent)
    expect(await text(socket)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  })
})

describe('requests that come in one piece', () => {
  const question = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
  const last = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
  const sendAll = (sent: string) => {
    const socket = connect(scene.http.port, '127.0.0.1').on('error', () => undefined)
    socket.write(sent)
    return socket
  }

  it('are answered one after the other, all of them', async () => {
    const answers = await text(sendAll(question.repeat(99) + last))
    expect(answers.match(/HTTP\/1\.1 200 /g)).toHaveLength(100)
  })

  it('give others their turn', async () => {
    const socket = sendAll(question.repeat(90))
    let answered = 0
    socket.on('data', (chunk) => (answered += chunk.toString().split('HTTP/1.1 200').length - 1))
    await once(socket, 'data')
    expect((await text(sendAll(last))).startsWith('HTTP/1.1 200')).toBe(true)
    expect(answered).toBeLessThan(90)
    socket.destroy()
  })

  it('are answered all, also when there are more than any client sends', async () => {
    const answers = await text(sendAll(question.repeat(499) + last))
    expect(answers.match(/HTTP\/1\.1 200 /g)).toHaveLength(500)
    expect((await text(sendAll(last))).startsWith('HTTP/1.1 200')).toBe(true)
  })
})
