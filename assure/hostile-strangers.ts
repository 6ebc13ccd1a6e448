import { setTimeout as sleep } from 'node:timers/promises'
import { appOperations } from '../src/http/app/operations.ts'
import {
  openUnfinished,
  sendHostileBodies,
  watchOthers,
} from '../test/reliability/scenarios/hostile-strangers.ts'
import type { Outcome } from '../test/reliability/scenarios/outcome.ts'
import { residentMegabytes } from '../test/reliability/scenarios/processes.ts'
import { startRealService } from '../test/support/real-service.ts'

const connections = 900
const unfinishedMs = 20_000

/** Every hostile body to every operation that takes one, then 900 connections whose bodies never end. */
export async function hostileStrangers(): Promise<Outcome> {
  const real = await startRealService({ families: 1, role: 'serve' })
  try {
    const port = Number(new URL(real.service.baseUrl).port)
    const pid = real.service.pid()
    const operations = appOperations.filter(({ body }) => body === 'json')
    const { figures, failures } = await sendHostileBodies({ port, operations })
    const beforeMB = residentMegabytes(pid).now
    const watching = watchOthers(port)
    const unfinished = await openUnfinished(port, { count: connections, path: '/api/app/session' })
    await sleep(unfinishedMs)
    const duringMB = residentMegabytes(pid).now
    unfinished.close()
    const times = await watching.end()
    if (real.service.pid() !== pid) failures.push('the HTTP process was replaced')
    return {
      figures: {
        ...figures,
        connections,
        unfinishedGrowthMB: duringMB - beforeMB,
        besideUnfinishedMaxMs: Math.max(...times),
      },
      failures,
    }
  } finally {
    await real.close()
  }
}
