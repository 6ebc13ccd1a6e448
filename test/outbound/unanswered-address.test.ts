import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { startReceiverLab } from '../support/receivers.ts'

/** Listens, and takes no connection: once its queue is full, the system answers no further one. */
const deaf = `
  const { parentPort } = require('node:worker_threads')
  const server = require('node:net').createServer()
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  })`

async function startDeafHost() {
  const worker = new Worker(deaf, { eval: true })
  const [port] = (await once(worker, 'message')) as [number]
  const filling = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', () => undefined))
  await sleep(100)
  const isDeaf = filling.some(({ connecting }) => connecting)
  const close = async () => {
    for (const socket of filling) socket.destroy()
    await worker.terminate()
  }
  return { port, isDeaf, close }
}

test('an alert goes to another address of a host when the first does not answer', async () => {
  const host = await startDeafHost()
  const lab = await startReceiverLab()
  try {
    expect(host.isDeaf).toBe(true)
    const receiver = await lab.receive('two.test')
    lab.dial('93.184.9.1:443', `127.0.0.1:${host.port}`)
    lab.dial('93.184.9.2:443', `127.0.0.1:${receiver.port}`)
    lab.resolve('two.test', { a: ['93.184.9.1', '93.184.9.2'] })
    const answer = await lab.outbound().ask({ url: receiver.url, purpose: 'alert', method: 'POST' })
    expect(answer.status).toBe(204)
  } finally {
    lab.close()
    await host.close()
  }
})
