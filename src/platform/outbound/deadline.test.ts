import { once } from 'node:events'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, test, vi } from 'vitest'
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

describe('an answer that goes on', () => {
  afterEach(() => void vi.useRealTimers())

  const stallMs = 30_000
  const perSecond = (bytes: number, seconds: number) => {
    vi.useFakeTimers()
    const deadline = startDeadline(3_600_000, stallMs, 30_000)
    for (let second = 0; second < seconds && !deadline.signal.aborted; second += 1) {
      deadline.progress(bytes)
      vi.advanceTimersByTime(1_000)
    }
    vi.runAllTicks()
    vi.advanceTimersByTime(0)
    const { aborted } = deadline.signal
    deadline.stop()
    return aborted
  }

  test('at a byte a second is as good as none', () => {
    expect(perSecond(1, 40)).toBe(true)
  })

  test('at twice its least pace is waited for', () => {
    expect(perSecond(2_000, 3_000)).toBe(false)
  })

  test('has all of its time again at each step before it', () => {
    vi.useFakeTimers()
    const deadline = startDeadline(3_600_000, stallMs, 30_000)
    for (let step = 0; step < 4; step += 1) {
      vi.advanceTimersByTime(stallMs - 1)
      deadline.progress()
    }
    expect(deadline.signal.aborted).toBe(false)
    deadline.stop()
  })
})
