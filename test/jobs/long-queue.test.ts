import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../../src/database/connection.ts'
import { claimBeside } from '../../src/queue/claim-beside.ts'
import { claimJob } from '../../src/queue/claim.ts'
import { enqueueAll } from '../../src/queue/enqueue.ts'
import { completeJobs } from '../../src/queue/settle.ts'
import type { Tables } from '../../src/database/tables.ts'
import { createPool, createQueries } from '../../src/platform/postgres/pool.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let store: TestDatabase
let queue: Db

beforeAll(async () => {
  store = await createTestDatabase({ isNew: true })
  const options = { max: 1, applicationName: 'queue', log: console, byIndexes: true }
  queue = createQueries<Tables>(createPool(store.connection, options))
})
afterAll(() => store.drop())

const worker = 'w'

async function workOff(jobs: number): Promise<number> {
  let done = 0
  for (let claimed = 0; claimed < jobs; claimed += 1) {
    const claim = { now: testNow, worker, except: [], ignoreBackoff: false }
    const job = await claimJob(queue, claim)
    if (job === undefined) break
    const run = [job, ...(await claimBeside(queue, job, { now: testNow, worker }))]
    await completeJobs(queue, run, worker)
    done += run.length
  }
  return done
}

async function enqueue(workspaces: number, each: number): Promise<void> {
  const jobs = Array.from({ length: workspaces }, () => randomUUID()).flatMap((workspaceId) =>
    Array.from({ length: each }, () => {
      const sbomId = randomUUID()
      const payload = { workspaceId, familyId: randomUUID(), sbomId }
      return { kind: 'match_sbom' as const, key: sbomId, workspaceId, payload, runAt: testNow }
    }),
  )
  await store.db.transaction().execute((tx) => enqueueAll(tx, jobs))
}

/** Sequential reads of the queue by ended sessions: only then has the server counted them all. */
async function rowsReadInSequence(): Promise<number> {
  const { rows } = await store.pool.query<{ rows: string }>(
    `select seq_tup_read as rows from pg_stat_user_tables where relname = 'job'`,
  )
  return Number(rows[0]?.rows)
}

async function openSessions(): Promise<number> {
  const { rowCount } = await store.pool.query(
    `select from pg_stat_activity where datname = current_database() and application_name = 'queue'`,
  )
  return rowCount ?? 0
}

test('sessions that planned for an empty queue claim from a long one by its indexes', async () => {
  await store.pool.query('analyze job')
  // a session caches its plans from the sixth execution on
  await enqueue(1, 8)
  expect(await workOff(8)).toBe(8)
  await enqueue(40, 25)
  expect(await workOff(60)).toBe(60)
  await queue.destroy()
  await expect.poll(openSessions).toBe(0)
  expect(await rowsReadInSequence()).toBe(0)
})
