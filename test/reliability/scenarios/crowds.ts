import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { percentile } from '../../../bench/report.ts'
import { watchOthers } from './hostile-strangers.ts'
import { residentMegabytes } from './processes.ts'

export const megabyte = 1024 * 1024

/** Many identical connections of strangers. */
export const crowds = [
  'unfinished JSON',
  'unfinished forms',
  'bodies that drip',
  'forms in tiny chunks',
  'bodies without end',
  'pipelined questions',
  'readers that take nothing',
  'connections without a word',
] as const
export type Crowd = (typeof crowds)[number]

type Options = { port: number; pid: number; count: number; forMs: number }
export type Besides = { growthMB: number; othersP99Ms: number; othersMaxMs: number }

/**
 * The cost of a crowd: the memory of the HTTP process, and how long small requests of others take. The crowd runs in its own thread, so
 * that its work does not count as waiting.
 */
export async function meetCrowd(crowd: Crowd, { port, pid, count, forMs }: Options): Promise<Besides> {
  const beforeMB = residentMegabytes(pid).now
  const watching = watchOthers(port)
  const workerData = { port, crowd, count, everyMs: 500 }
  const thread = new Worker(new URL('./crowd-thread.ts', import.meta.url), { workerData })
  let maxMB = beforeMB
  const looking = setInterval(() => {
    maxMB = Math.max(maxMB, residentMegabytes(pid).now)
  }, 250)
  try {
    await once(thread, 'message')
    await sleep(forMs)
  } finally {
    clearInterval(looking)
    await thread.terminate()
  }
  const times = await watching.end()
  return {
    growthMB: Math.round(maxMB - beforeMB),
    othersP99Ms: percentile(times, 99),
    othersMaxMs: Math.max(...times),
  }
}
