import pg from 'pg'
import type { Db } from '../src/database/connection.ts'
import type { Tables } from '../src/database/tables.ts'
import { createPool, createQueries } from '../src/platform/postgres/pool.ts'
import { chainEvents } from '../src/audit/chain-events.ts'
import { sampleSbom } from '../test/support/sample-sbom.ts'
import { startService, type Service } from '../test/support/service.ts'
import { cpuTimes, type CpuTimes } from './cpu.ts'
import { createStore } from './external-store.ts'
import { provisionTokens, unchained, type Laboratory } from './laboratory.ts'
import { report, round, say } from './report.ts'
import { sendAll, untilAllMatched } from './small-uploads.ts'

const passes = 12
/** What 20 uploads a second leave for one pass, which comes every three seconds. */
const perPass = 60
const families = 15

/** Processor time of chaining the audit trail for one upload, beside that of the upload itself: a service that does not chain, and passes of ours. */
export async function benchChaining(laboratory: Laboratory): Promise<void> {
  const store = await createStore(laboratory, 'chaining')
  const service = await startService({
    env: { DATABASE_URL: store.url, LOG_LEVEL: 'warn', ...unchained },
  })
  const sql = new pg.Client({ connectionString: store.url })
  await sql.connect()
  const pool = createPool(
    { connectionString: store.url },
    { max: 2, applicationName: 'bench', log: console, statementTimeoutMs: 60_000 },
  )
  const db: Db = createQueries<Tables>(pool)
  try {
    await measure({ service, sql, db })
  } finally {
    await db.destroy()
    await sql.end()
    await service.stop()
    await store.drop()
  }
}

type Bench = { service: Service; sql: pg.Client; db: Db }

async function measure(place: Bench): Promise<void> {
  const tokens = await provisionTokens(place.service, 'chaining', families)
  await chainEvents(place.db)
  const done: Pass[] = []
  while (done.length < passes) {
    say(`pass ${done.length + 1} of ${passes}`)
    done.push(await passAfterUploads(place, { tokens, number: done.length }))
  }
  const ofEach = (take: (pass: Pass) => number) =>
    done.reduce((sum, pass) => sum + take(pass), 0) / (passes * perPass)
  const chaining = ofEach(({ storeMs, chainerMs }) => storeMs + chainerMs)
  const uploadMs = ofEach((pass) => pass.uploadsMs)
  report({
    figure: 'chaining_of_an_upload',
    value: chaining,
    unit: 'ms of processor time',
    runs: passes,
    ratio: { of: 'the upload until matched', value: round(chaining / uploadMs) },
    detail: {
      eventsAnUpload: round(ofEach(({ events }) => events)),
      storeCpuMs: round(ofEach(({ storeMs }) => storeMs)),
      chainerCpuMs: round(ofEach(({ chainerMs }) => chainerMs)),
      uploadCpuMs: round(uploadMs),
    },
  })
}

/** Of so many uploads: of all that the service and the database did for them, then of the database and of this process for their chaining. */
type Pass = { events: number; uploadsMs: number; storeMs: number; chainerMs: number }

async function passAfterUploads(
  { service, sql, db }: Bench,
  { tokens, number }: { tokens: string[]; number: number },
): Promise<Pass> {
  const bodies = Array.from({ length: perPass }, (_, index) =>
    sampleSbom({ components: 100, serial: 80_000_000 + number * perPass + index, offset: number * 5 }),
  )
  const before = await cpuTimes({ service, sql })
  await sendAll([service], { bodies, tokens, concurrency: 8 })
  await untilAllMatched({ sql })
  const matched = await cpuTimes({ service, sql })
  const ownBefore = process.cpuUsage()
  const events = await chainEvents(db)
  const own = process.cpuUsage(ownBefore)
  const chained = await cpuTimes({ service, sql })
  return {
    events,
    uploadsMs: sumOf(matched) - sumOf(before),
    storeMs: chained.store - matched.store,
    chainerMs: (own.user + own.system) / 1000,
  }
}

function sumOf({ store, service, parser }: CpuTimes): number {
  return store + service + parser
}
