import pino from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { JobKind } from '../../src/jobs.ts'
import { claimJob, renewLeases, type ClaimedJob } from '../../src/queue/claim.ts'
import { enqueue } from '../../src/queue/enqueue.ts'
import { retryFailedJobs } from '../../src/queue/failed.ts'
import { completeJobs, failJob, recoverJobs, returnJob } from '../../src/queue/settle.ts'
import { drainQueue, startWorker, type Tasks } from '../../src/queue/worker.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { enqueueJob } from '../support/enqueue-job.ts'
import { testNow } from '../support/clock.ts'
import { payloadOf } from '../support/payloads.ts'

const log = pino({ level: 'silent' })
const one = '00000000-0000-7000-8000-000000000001'
const two = '00000000-0000-7000-8000-000000000002'

let store: TestDatabase
beforeAll(async () => {
  store = await createTestDatabase()
})
afterAll(() => store.drop())
afterEach(async () => {
  await store.db.deleteFrom('job').execute()
})

const refresh = (familyId: string, workspaceId = one) =>
  enqueueJob(store.db, {
    kind: 'refresh_findings',
    key: familyId,
    workspaceId,
    payload: { workspaceId, familyId },
    runAt: testNow,
  })

const tell = (familyId: string) =>
  enqueueJob(store.db, {
    kind: 'tell_malware',
    key: one,
    workspaceId: one,
    payload: { workspaceId: one, [`family:${familyId}`]: familyId },
    runAt: testNow,
  })

let claimed: ClaimedJob | undefined

async function failClaimed(maxAttempts: number): Promise<void> {
  if (claimed === undefined) throw new Error('no job was claimed')
  const failure = { worker: 'killed', message: 'no', now: testNow }
  await failJob(store.db, { ...claimed, maxAttempts }, failure)
}

async function recoverAll(): Promise<void> {
  const ended = { leased_until: new Date(0) }
  await store.db.updateTable('job').set(ended).where('state', '=', 'running').execute()
  await recoverJobs(store.db)
}

const claim = (worker = 'w', now = testNow, except: JobKind[] = []) =>
  claimJob(store.db, { now, worker, except, ignoreBackoff: false })

const familyOf = (job: { payload: unknown } | undefined) => job && payloadOf('refresh_findings', job).familyId

function tasks(
  run: (kind: JobKind, payload: unknown) => Promise<void>,
  giveUp?: (reason: string) => void,
): Tasks {
  const task = (kind: JobKind) => ({
    run: (payload: unknown) => run(kind, payload),
    giveUp: (_payload: unknown, reason: string) => {
      giveUp?.(reason)
      return Promise.resolve()
    },
  })
  return new Proxy({} as Tasks, { get: (_target, kind) => task(kind as JobKind) })
}

describe('the queue', () => {
  it('enqueues a job exactly when the transaction commits', async () => {
    await expect(
      store.db.transaction().execute(async (tx) => {
        await enqueue(tx, { kind: 'refresh_exploited', payload: {}, runAt: testNow })
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    expect(await claim()).toBeUndefined()
  })

  it('lets at most one job of a kind and key wait, while another may run', async () => {
    await refresh('f')
    await refresh('f')
    const running = await claim()
    expect(familyOf(running)).toBe('f')
    expect(await claim()).toBeUndefined()
    await refresh('f')
    expect(await claim()).toBeUndefined()
    if (running !== undefined) await completeJobs(store.db, [running], 'w')
    expect(familyOf(await claim())).toBe('f')
  })

  it('holds a waiting job back while an order of it has not committed, so that its run sees the change', async () => {
    await refresh('f')
    await store.db.transaction().execute(async (tx) => {
      await enqueue(tx, {
        kind: 'refresh_findings',
        key: 'f',
        workspaceId: one,
        payload: { workspaceId: one, familyId: 'f' },
        runAt: testNow,
      })
      expect(await claim()).toBeUndefined()
    })
    expect(familyOf(await claim())).toBe('f')
  })

  it('takes turns between workspaces, however many jobs one has', async () => {
    for (let index = 0; index < 50; index += 1) await refresh(`one-${index}`, one)
    await refresh('two-0', two)
    const claimed = [familyOf(await claim()), familyOf(await claim())]
    expect(claimed).toContain('two-0')
  })

  it('waits for the product clock', async () => {
    const later = new Date(testNow.getTime() + 1)
    await enqueueJob(store.db, { kind: 'refresh_exploited', payload: {}, runAt: later })
    expect(await claim('w', testNow)).toBeUndefined()
    expect(await claim('w', later)).toBeDefined()
  })

  describe('with the clock set back', () => {
    const before = (seconds: number) => new Date(testNow.getTime() - seconds * 1000)

    it.each([59, 61, 86_400])(
      'by %i seconds, runs what was enqueued for now or within a minute',
      async (seconds) => {
        await refresh('f')
        expect((await claim('w', before(seconds))) !== undefined).toBe(seconds > 60)
        expect((await claim('w', testNow)) !== undefined).toBe(seconds <= 60)
      },
    )

    it.each([
      [1, 'within its pause', 65, false],
      [1, 'far beyond its pause', 66, true],
      [4, 'within its pause', 100, false],
      [4, 'far beyond its pause', 101, true],
    ])(
      'a job that failed %i times and is due %s (%i s ahead) runs: %s',
      async (failures, _name, seconds, runs) => {
        await refresh('f')
        for (let attempt = 1; attempt <= failures; attempt += 1) {
          const job = await claimJob(store.db, { now: testNow, worker: 'w', except: [], ignoreBackoff: true })
          if (job === undefined) throw new Error('nothing was due')
          await failJob(store.db, job, { worker: 'w', message: 'broken', now: testNow })
        }
        const { run_at: runAt } = await store.db.selectFrom('job').select('run_at').executeTakeFirstOrThrow()
        expect((await claim('w', new Date(runAt.getTime() - seconds * 1000))) !== undefined).toBe(runs)
      },
    )
  })

  it('gives a job to one of many workers', async () => {
    await refresh('f')
    const claims = await Promise.all(Array.from({ length: 8 }, (_, index) => claim(`w${index}`)))
    expect(claims.filter((job) => job !== undefined)).toHaveLength(1)
  })

  it('puts a failed job back with growing delay and keeps it as failed in the end', async () => {
    await refresh('f')
    let now = testNow
    const delays: number[] = []
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const job = await claim('w', now)
      if (job === undefined) throw new Error(`attempt ${attempt} was not due`)
      expect(job.attempts).toBe(attempt)
      const isLast = await failJob(store.db, job, { worker: 'w', message: 'broken', now })
      expect(isLast).toBe(attempt === 5)
      const { run_at: runAt } = await store.db.selectFrom('job').select('run_at').executeTakeFirstOrThrow()
      if (!isLast) delays.push(runAt.getTime() - now.getTime())
      now = runAt
    }
    expect(delays).toEqual([5_000, 10_000, 20_000, 40_000])
    expect(await store.db.selectFrom('job').select(['state', 'last_error']).execute()).toEqual([
      { state: 'failed', last_error: 'broken' },
    ])
  })

  it('takes jobs of a killed worker back when their lease has ended, and not before', async () => {
    await refresh('f')
    await claim('killed')
    await recoverJobs(store.db)
    expect(await claim()).toBeUndefined()
    await store.db
      .updateTable('job')
      .set({ leased_until: new Date(0) })
      .execute()
    await recoverJobs(store.db)
    expect(familyOf(await claim())).toBe('f')
  })

  it('keeps the lease of a job under way, and not of one whose claim the worker never heard of', async () => {
    await refresh('known')
    await refresh('unheard')
    const known = await claim('w')
    await claim('w')
    await store.db
      .updateTable('job')
      .set({ leased_until: new Date(0) })
      .execute()
    await renewLeases(store.db, 'w', [known?.id ?? 0])
    await recoverJobs(store.db)
    const again = await claim('other')
    expect([familyOf(known), familyOf(again)].sort()).toEqual(['known', 'unheard'])
    expect(await claim('other')).toBeUndefined()
  })

  it('runs a job again at once whose session with the store was lost, and not for ever', async () => {
    await refresh('f')
    for (let attempt = 1; attempt <= 7; attempt += 1) {
      const job = await claim()
      if (job === undefined) throw new Error(`attempt ${attempt} was not due`)
      await returnJob(store.db, job, { worker: 'w', message: 'Connection terminated' })
    }
    expect(await store.db.selectFrom('job').select(['state', 'attempts', 'last_error']).execute()).toEqual([
      { state: 'failed', attempts: 7, last_error: 'Connection terminated' },
    ])
  })

  it('drops a job put back where an equal one waits', async () => {
    await refresh('f')
    await claim('killed')
    await refresh('f')
    await recoverAll()
    expect(await store.db.selectFrom('job').select('state').execute()).toEqual([{ state: 'waiting' }])
  })

  it.each<[string, () => Promise<unknown>]>([
    ['its process ended', () => recoverAll()],
    ['it failed', () => failClaimed(10)],
    [
      'it had failed for good',
      async () => {
        await failClaimed(1)
        await store.db.transaction().execute((tx) => retryFailedJobs(tx, 'all', testNow))
      },
    ],
  ])('leaves what a job put back was to do to the equal one that waits (%s)', async (_why, putBack) => {
    await tell('pump')
    claimed = await claim('killed')
    await tell('valve')
    await putBack()
    const jobs = await store.db.selectFrom('job').select(['state', 'payload']).execute()
    expect(jobs).toEqual([
      { state: 'waiting', payload: { workspaceId: one, 'family:pump': 'pump', 'family:valve': 'valve' } },
    ])
  })

  it('does not complete a job that another worker has taken over', async () => {
    await refresh('f')
    const job = await claim('slow')
    await store.db
      .updateTable('job')
      .set({ leased_until: new Date(0) })
      .execute()
    await recoverJobs(store.db)
    await claim('other')
    if (job !== undefined) await completeJobs(store.db, [job], 'slow')
    expect(await store.db.selectFrom('job').select('leased_by').execute()).toEqual([{ leased_by: 'other' }])
  })
})

describe('drain', () => {
  it('runs everything due, retries included, skips what it is told, and counts', async () => {
    await refresh('good')
    await refresh('bad')
    await enqueueJob(store.db, {
      kind: 'refresh_source',
      key: 'kev',
      payload: { source: 'kev' },
      runAt: testNow,
    })
    const reasons: string[] = []
    const worker = {
      db: store.db,
      queue: store.db,
      now: () => testNow,
      log,
      name: 'drain',
      tasks: tasks(
        (_kind, payload) =>
          familyOf({ payload }) === 'bad' ? Promise.reject(new Error('no luck')) : Promise.resolve(),
        (reason) => reasons.push(reason),
      ),
    }
    const counts = await drainQueue(worker, { except: ['refresh_source'] })
    expect([...counts]).toEqual([['refresh_findings', 6]])
    expect(reasons).toEqual(['no luck'])
    const left = await store.db.selectFrom('job').select(['kind', 'state']).orderBy('kind').execute()
    expect(left).toEqual([
      { kind: 'refresh_findings', state: 'failed' },
      { kind: 'refresh_source', state: 'waiting' },
    ])
  })
})

describe('a job that takes its process or its session with it every time', () => {
  const gone = (reasons: string[], run: () => Promise<void>) => ({
    db: store.db,
    queue: store.db,
    now: () => testNow,
    log,
    name: 'w',
    tasks: tasks(run, (reason) => reasons.push(reason)),
  })

  it('is given up where a person will see it, after its process ended seven times', async () => {
    await refresh('f')
    await claim('killed')
    await store.db
      .updateTable('job')
      .set({ attempts: 7, leased_until: new Date(0) })
      .execute()
    const reasons: string[] = []
    await drainQueue(
      gone(reasons, () => Promise.resolve()),
      { except: [] },
    )
    expect(reasons).toEqual(['the process that ran the job ended'])
    expect(await store.db.selectFrom('job').select('state').execute()).toEqual([{ state: 'failed' }])
  })

  it('is given up after its session was lost seven times', async () => {
    await refresh('f')
    const reasons: string[] = []
    await drainQueue(
      gone(reasons, () => Promise.reject(Object.assign(new Error('gone'), { code: '57P01' }))),
      { except: [] },
    )
    expect(reasons).toEqual(['gone'])
    expect(await store.db.selectFrom('job').select(['state', 'attempts']).execute()).toEqual([
      { state: 'failed', attempts: 7 },
    ])
  })
})

describe('a worker', () => {
  it('works until stopped and gives back what it could not finish', async () => {
    const done: string[] = []
    const { promise: twice, resolve } = Promise.withResolvers<undefined>()
    const worker = startWorker(
      {
        db: store.db,
        queue: store.db,
        now: () => testNow,
        log,
        name: 'w',
        tasks: tasks((_kind, payload) => {
          done.push(familyOf({ payload }) ?? '')
          if (done.length === 2) resolve(undefined)
          return Promise.resolve()
        }),
      },
      { concurrency: 2 },
    )
    await refresh('a')
    await refresh('b')
    worker.wake()
    await twice
    await worker.stop()
    expect(done.sort()).toEqual(['a', 'b'])
    expect(await store.db.selectFrom('job').select('id').execute()).toEqual([])
  })

  it('does not count it against a job that its session was lost, also one with a single attempt', async () => {
    let runs = 0
    const { promise: again, resolve } = Promise.withResolvers<undefined>()
    const worker = startWorker(
      {
        db: store.db,
        queue: store.db,
        now: () => testNow,
        log,
        name: 'w',
        tasks: tasks(() => {
          runs += 1
          if (runs === 1) return Promise.reject(Object.assign(new Error('gone'), { code: '57P01' }))
          resolve(undefined)
          return Promise.resolve()
        }),
      },
      { concurrency: 1 },
    )
    await enqueueJob(store.db, {
      kind: 'refresh_source',
      key: 'kev',
      payload: { source: 'kev' },
      runAt: testNow,
    })
    worker.wake()
    await again
    await worker.stop()
    expect(await store.db.selectFrom('job').select('id').execute()).toEqual([])
  })
})
