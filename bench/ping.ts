import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import type { Service } from '../test/support/service.ts'
import { agent } from './laboratory.ts'

const everyMs = 5

/** Small requests, one every 5 ms whatever the answers do, while `work` goes on; `onEach` is called before each. */
export async function pingWhile<T>(
  service: Service,
  work: () => Promise<T>,
  onEach: () => void = () => undefined,
): Promise<{ times: number[]; value: T }> {
  const times: number[] = []
  const state = { isDone: false }
  const pinging = (async () => {
    const pending: Promise<void>[] = []
    let dueAt = performance.now()
    while (!state.isDone) {
      dueAt += everyMs
      onEach()
      pending.push(ping(service.baseUrl, times))
      await sleep(Math.max(0, dueAt - performance.now()))
    }
    await Promise.all(pending)
  })()
  const value = await work()
  state.isDone = true
  await pinging
  return { times, value }
}

async function ping(baseUrl: string, times: number[]): Promise<void> {
  const startedAt = performance.now()
  const response = await request(`${baseUrl}/healthz`, { dispatcher: agent })
  await response.body.dump()
  times.push(performance.now() - startedAt)
}
