import { availableParallelism } from 'node:os'
import pg from 'pg'
import { startService, type Service } from '../test/support/service.ts'
import { startWorkProcess } from '../test/support/work-process.ts'
import { createStore } from './external-store.ts'
import { provisionTokens, type Laboratory } from './laboratory.ts'
import { median, report, round, say } from './report.ts'
import { perRound, sendRound, tokensPerRound, untilAllMatched } from './small-uploads.ts'

const rounds = 3
const concurrency = 32

/**
 * 100-component uploads into one store with 1, 2 and 4 processes of each role: how many a second are stored, and how many a second are stored
 * and matched. BENCH_DATABASE_URL names an external store that may create databases; without it a database of its own on the embedded one.
 */
export async function benchProcesses(laboratory: Laboratory): Promise<void> {
  const store = await createStore(laboratory, 'processes')
  try {
    let alone: number | undefined
    for (const count of [1, 2, 4]) {
      say(`${count} serve and ${count} work`)
      const { stored, matched } = await measure(store.url, count)
      alone ??= median(stored)
      report({
        figure: `uploads_of_${count}_processes_c${concurrency}`,
        value: median(stored),
        unit: 'uploads/s',
        runs: rounds,
        ratio: { of: 'uploads of 1 process', value: round(median(stored) / alone) },
        detail: { matchedPerSecond: round(median(matched)), cores: availableParallelism() },
      })
    }
  } finally {
    await store.drop()
  }
}

async function measure(url: string, count: number): Promise<{ stored: number[]; matched: number[] }> {
  const env = { DATABASE_URL: url, LOG_LEVEL: 'error' }
  const first = await startService({ env, role: 'serve' })
  const services: Service[] = [first]
  while (services.length < count) services.push(await startService({ env, role: 'serve' }))
  const workers = Array.from({ length: count }, () => startWorkProcess(env))
  const sql = new pg.Client({ connectionString: url })
  await sql.connect()
  const rates = { stored: [] as number[], matched: [] as number[] }
  try {
    // the first round warms the processes up
    for (let turn = 0; turn <= rounds; turn += 1) {
      const tokens = await provisionTokens(first, `p${count}-${turn}`, tokensPerRound)
      const firstSerial = (count * (rounds + 1) + turn) * perRound
      const startedAt = performance.now()
      const { ms: storedMs } = await sendRound(services, { tokens, firstSerial, concurrency })
      await untilAllMatched({ sql })
      if (turn === 0) continue
      rates.stored.push(perRound / (storedMs / 1000))
      rates.matched.push(perRound / ((performance.now() - startedAt) / 1000))
    }
  } finally {
    await sql.end()
    await Promise.all([...services, ...workers].map(({ stop }) => stop()))
  }
  return rates
}
