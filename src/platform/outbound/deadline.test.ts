import { once } from 'node:events'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { startDeadline } from './deadline.ts'

/** A peer in a thread of its own: it answers when the first number is set and sets the second when that is done. */
const peer = `
const { createServer } = require('node:net')
const { workerData, parentPort } = require('node:worker_threads')
const flags = new Int32Array(workerData)
createServer((socket) => {
  Atomics.wait(flags, 0, 0)
  socket.write('answer', () => {
    Atomics.store(flags, 1, 1)
    Atomics.notify(flags, 1)
  })
}).listen(0, '127.0.0.1', function () { parentPort.postMessage(this.address().port) })
`

test('an answer that came in time counts, however late the process hears of it', async () => {
  const shared = new SharedArrayBuffer(8)
  const flags = new Int32Array(shared)
  const worker = new Worker(peer, { eval: true, workerData: shared })
  const [port] = (await once(worker, 'message')) as [number]
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const deadline = startDeadline(100, null)
  const answer = deadline.race(once(socket, 'data').then(([data]) => String(data)))
  Atomics.store(flags, 0, 1)
  Atomics.notify(flags, 0)
  // nothing of this thread runs from here on, until the time is over
  Atomics.wait(flags, 1, 0)
  const until = performance.now() + 150
  while (performance.now() < until);
  expect(await answer).toBe('answer')
  deadline.stop()
  socket.destroy()
  await worker.terminate()
})

test('what does not come is over at its time', async () => {
  const deadline = startDeadline(20, null)
  await expect(deadline.race(new Promise(() => undefined))).rejects.toMatchObject({ code: 'timeout' })
  expect(deadline.signal.aborted).toBe(true)
})
