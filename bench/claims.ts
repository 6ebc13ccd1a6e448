import { join } from 'node:path'
import type { Client } from 'pg'
import pg from 'pg'
import type { Db } from '../src/database/connection.ts'
import type { Tables } from '../src/database/tables.ts'
import { claimJob, startRound, type ClaimedJob } from '../src/queue/claim.ts'
import { completeJobs } from '../src/queue/settle.ts'
import { createPool, createQueries } from '../src/platform/postgres/pool.ts'
import { migrate } from '../src/schema/migrate.ts'
import { cpuTimes } from './cpu.ts'
import { createStore } from './external-store.ts'
import type { Laboratory } from './laboratory.ts'
import { median, report, round, say } from './report.ts'

const sizes = [200, 10_000]
const claims = 150
const now = new Date('2026-01-01T00:00:00Z')

/** What waits, and what a claim of it finds. */
const queues = {
  /** Every workspace has jobs that are due, longest those of the first. */
  due: { dueEvery: 1, finds: true },
  /** Jobs wait for another try, none is due. */
  none_due: { dueEvery: 0, finds: false },
  /** As `none_due`, but a hundredth of the workspaces has one that is. */
  few_due: { dueEvery: 100, finds: true },
}

/** Of several `work` processes together; who has more under way ends the first. */
const running = 16

/**
 * Claims of jobs, one after the other and each in the queue as the one before left it, while so many workspaces have three waiting: the time of
 * one and what the server needs for it and for the end of a job. The database is its own and nobody else claims from it.
 */
export async function benchClaims(laboratory: Laboratory): Promise<void> {
  const store = await createStore(laboratory, 'claims')
  const sql = new pg.Client({ connectionString: store.url })
  try {
    await migrate({ connectionString: store.url }, join(import.meta.dirname, '../database/migrations'))
    await sql.connect()
    const options = { max: 1, applicationName: 'bench queue', log: console, byIndexes: true }
    const queue: Db = createQueries<Tables>(createPool({ connectionString: store.url }, options))
    for (const [name, { dueEvery, finds }] of Object.entries(queues)) {
      for (const workspaces of sizes) {
        say(`claims: ${name}, ${workspaces} workspaces`)
        await fillQueue(sql, { workspaces, dueEvery })
        const figure = `claim_${name}_of_${workspaces}_workspaces`
        await measure({ ...laboratory, queue }, { figure, wanted: finds ? found(workspaces, dueEvery) : 0 })
      }
    }
    await queue.destroy()
  } finally {
    await sql.end()
    await store.drop()
  }
}

/** As many claims as there are jobs for, and no more than that. */
const found = (workspaces: number, dueEvery: number) =>
  Math.min(claims, Math.ceil((workspaces * 3) / dueEvery))

type Filling = { workspaces: number; dueEvery: number }

async function fillQueue(sql: Client, { workspaces, dueEvery }: Filling): Promise<void> {
  await sql.query('truncate job')
  await sql.query(
    `insert into job (kind, key, workspace_id, payload, state, run_at, created_at, max_attempts, attempts)
     select 'refresh_findings', w || ' ' || n, md5(w::text)::uuid, '{}', 'waiting',
       $3::timestamptz + case when $2 > 0 and w % greatest($2, 1) = 0 then -1 else 1 end * (make_interval(secs => 60) - make_interval(secs => w / 1000.0 + n)),
       $3, 5, case when $2 = 1 then 0 else 1 end
     from generate_series(1, $1::int) w, generate_series(1, 3) n`,
    [workspaces, dueEvery, now],
  )
  await sql.query('vacuum analyze job')
}

type Measuring = { figure: string; wanted: number }

async function measure(laboratory: Laboratory & { queue: Db }, { figure, wanted }: Measuring): Promise<void> {
  const worker = 'bench'
  const claim = { now, worker, except: [], ignoreBackoff: false, round: startRound() }
  const times: number[] = []
  const jobs: ClaimedJob[] = []
  const before = await cpuTimes(laboratory)
  while (times.length < (wanted === 0 ? claims : wanted)) {
    const startedAt = performance.now()
    const job = await claimJob(laboratory.queue, claim)
    times.push(performance.now() - startedAt)
    if ((job === undefined) !== (wanted === 0)) throw new Error(`${figure}: the wrong answer`)
    if (job !== undefined) jobs.push(job)
    if (jobs.length > running) await completeJobs(laboratory.queue, jobs.splice(0, 1), worker)
  }
  const after = await cpuTimes(laboratory)
  const storeCpuMs = round((after.store - before.store) / times.length)
  report({ figure, value: median(times), unit: 'ms', runs: times.length, detail: { storeCpuMs } })
}
