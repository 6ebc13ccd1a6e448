import { setTimeout as sleep } from 'node:timers/promises'
import { round } from '../report.ts'

/** For the environment of processes whose heaps are read: each opens a port that is free when it is asked to. */
export const inspectable = { NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --inspect-port=0` }

const spokenWithinMs = 60_000
const announced = /Debugger listening on (?<url>ws:\S+)/g
const megabyte = 1024 * 1024

type Reply = { id: number; result?: { result?: { value?: string } }; error?: { message: string } }
type Told = { pid: number; heapUsed: number; external: number }

/**
 * Megabytes that live objects and buffers take after a full collection, by process: what is left is held by somebody. The processes write to
 * what `output` returns. The inspector of Node.js is asked for it, which stays open.
 */
export async function liveMegabytes(
  pids: readonly number[],
  output: () => string,
): Promise<Map<number, number>> {
  for (const pid of pids) process.kill(pid, 'SIGUSR1')
  const until = performance.now() + spokenWithinMs
  const live = new Map<number, number>()
  const asked = new Set<string>()
  while (live.size < pids.length) {
    if (performance.now() > until) throw new Error('a process did not open its inspector')
    for (const { groups } of output().matchAll(announced)) {
      const url = groups?.['url'] ?? ''
      if (asked.has(url)) continue
      asked.add(url)
      const told = await askHeap(url)
      if (pids.includes(told.pid)) live.set(told.pid, round((told.heapUsed + told.external) / megabyte))
    }
    await sleep(50)
  }
  return live
}

async function askHeap(url: string): Promise<Told> {
  const socket = new WebSocket(url)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', () => reject(new Error(`${url} does not answer`)), { once: true })
  })
  let last = 0
  const ask = (method: string, params: Record<string, unknown> = {}) =>
    new Promise<Reply>((resolve) => {
      last += 1
      const id = last
      const hear = ({ data }: MessageEvent) => {
        const reply = JSON.parse(String(data)) as Reply
        if (reply.id !== id) return
        socket.removeEventListener('message', hear)
        resolve(reply)
      }
      socket.addEventListener('message', hear)
      socket.send(JSON.stringify({ id, method, params }))
    })
  // what a first collection lets finalizers release, the second one frees
  for (let time = 0; time < 2; time += 1) await ask('HeapProfiler.collectGarbage')
  const expression = 'JSON.stringify({ pid: process.pid, ...process.memoryUsage() })'
  const { result, error } = await ask('Runtime.evaluate', { expression })
  socket.close()
  if (error !== undefined) throw new Error(error.message)
  return JSON.parse(result?.result?.value ?? '') as Told
}
