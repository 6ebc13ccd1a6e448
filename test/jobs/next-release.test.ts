import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { claimJob } from '../../src/queue/claim.ts'
import { recoverJobs } from '../../src/queue/settle.ts'
import { refreshSource } from '../../src/vulndata/refresh.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { enqueueJob } from '../support/enqueue-job.ts'
import { importDeps } from '../vulndata/support.ts'
import { testNow } from '../support/clock.ts'

let store: TestDatabase
beforeAll(async () => {
  store = await createTestDatabase()
})
afterAll(() => store.drop())
afterEach(async () => {
  await store.db.deleteFrom('job').execute()
})

const claim = () => claimJob(store.db, { now: testNow, worker: 'w', except: [], ignoreBackoff: true })
const jobs = () => store.db.selectFrom('job').select(['kind', 'state', 'attempts']).orderBy('kind').execute()

/** As a process of the next release enqueues it, which runs beside this one during an upgrade. */
async function enqueueOfNextRelease(): Promise<void> {
  await enqueueJob(store.db, { kind: 'refresh_exploited', key: 'all', payload: {}, runAt: testNow })
  await sql`update job set kind = 'count_the_moons', run_at = ${testNow}::timestamptz - interval '1 minute'`.execute(
    store.db,
  )
}

it('a job of a kind that a newer release has added is left to it, and holds up no other', async () => {
  await enqueueOfNextRelease()
  expect(await claim()).toBeUndefined()
  await enqueueJob(store.db, { kind: 'refresh_exploited', key: 'all', payload: {}, runAt: testNow })
  expect((await claim())?.kind).toBe('refresh_exploited')
  expect(await jobs()).toEqual([
    { kind: 'count_the_moons', state: 'waiting', attempts: 0 },
    { kind: 'refresh_exploited', state: 'running', attempts: 1 },
  ])
})

it('a job of such a kind whose process was killed is recovered, or given up, by the newer release', async () => {
  await enqueueOfNextRelease()
  await sql`update job set state = 'running', attempts = max_attempts + 2, leased_by = 'killed',
    leased_until = clock_timestamp() - interval '1 minute'`.execute(store.db)
  expect(await recoverJobs(store.db)).toEqual([])
  expect(await jobs()).toMatchObject([{ kind: 'count_the_moons', state: 'running' }])
})

it('a source that a newer release has added is left to it, without a failed attempt', async () => {
  await refreshSource(importDeps(store.db, {}), { source: 'lunar-advisories', now: testNow })
  expect(
    await store.db.selectFrom('data_source').select('name').where('name', '=', 'lunar-advisories').execute(),
  ).toEqual([])
})
