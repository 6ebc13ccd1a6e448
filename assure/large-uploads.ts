import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '../test/support/http.ts'
import { startRealService } from '../test/support/real-service.ts'
import { runLargeUploads } from '../test/reliability/scenarios/large-uploads.ts'
import type { Outcome } from '../test/reliability/scenarios/outcome.ts'

const metricsToken = 'only-for-this-process'
const uploadsAtOnce = 8
/** Of the timer that the runtime measures with: what it records is the time since the timer fired last, so an idle loop shows 10 ms. */
const timerMs = 10
const lag = /^nodejs_eventloop_lag_max_seconds (?<seconds>\S+)$/m

let ran: Promise<Outcome> | undefined

/** Three rounds of eight uploads of 50 MB, run once for all the goals that look at them. */
export function largeUploads(): Promise<Outcome> {
  return (ran ??= run())
}

async function run(): Promise<Outcome> {
  const env = { LOG_LEVEL: 'info', METRICS_TOKEN: metricsToken }
  const real = await startRealService({ families: uploadsAtOnce, env, role: 'serve' })
  const over = new AbortController()
  try {
    const watching = watchEventLoop(real.service.baseUrl, over.signal)
    const { figures, failures } = await runLargeUploads({
      service: real.service,
      tokens: real.tokens,
      rounds: 3,
    })
    over.abort()
    return { figures: { ...figures, eventLoopMaxMs: await watching }, failures }
  } finally {
    over.abort()
    await real.close()
  }
}

/** The longest delay between two looks at it; each look begins a new measurement. */
async function watchEventLoop(baseUrl: string, over: AbortSignal): Promise<number> {
  let maxMs = 0
  // The first look ends what was measured while the process started.
  await lookAtEventLoop(baseUrl)
  while (!over.aborted) {
    await sleep(1_000)
    maxMs = Math.max(maxMs, await lookAtEventLoop(baseUrl))
  }
  return maxMs
}

/** How late the timer was at most since the last look, in milliseconds. */
async function lookAtEventLoop(baseUrl: string): Promise<number> {
  const { body } = await call(`${baseUrl}/metrics`, { token: metricsToken })
  return Number(lag.exec(String(body))?.groups?.['seconds'] ?? Number.NaN) * 1000 - timerMs
}
