import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { drainQueue } from '../../src/queue/drain-queue.ts'
import { startWorker } from '../../src/queue/worker.ts'
import { testNow } from '../support/clock.ts'
import { enqueueJob } from '../support/enqueue-job.ts'
import { familyOf, QueueScene, tasks } from './queue-scene.ts'

let queue: QueueScene
beforeAll(async () => {
  queue = await QueueScene.open()
})
afterEach(() => queue.empty())
afterAll(() => queue.close())

describe('drain', () => {
  it('runs everything due, retries included, skips what it is told, and counts', async () => {
    await queue.refresh('good')
    await queue.refresh('bad')
    await enqueueJob(queue.db, {
      kind: 'refresh_source',
      key: 'kev',
      payload: { source: 'kev' },
      runAt: testNow,
    })
    const reasons: string[] = []
    const worker = queue.worker(
      tasks(
        (_kind, payload) =>
          familyOf({ payload }) === 'bad' ? Promise.reject(new Error('no luck')) : Promise.resolve(),
        (reason) => reasons.push(reason),
      ),
    )
    const counts = await drainQueue(worker, { except: ['refresh_source'] })
    expect([...counts]).toEqual([['refresh_findings', 6]])
    expect(reasons).toEqual(['no luck'])
    const left = await queue.db.selectFrom('job').select(['kind', 'state']).orderBy('kind').execute()
    expect(left).toEqual([
      { kind: 'refresh_findings', state: 'failed' },
      { kind: 'refresh_source', state: 'waiting' },
    ])
  })
})

describe('a job that takes its process or its session with it every time', () => {
  const gone = (reasons: string[], run: () => Promise<void>) =>
    queue.worker(tasks(run, (reason) => reasons.push(reason)))

  it('is given up where a person will see it, after its process ended seven times', async () => {
    await queue.refresh('f')
    await queue.claim('killed')
    await queue.db
      .updateTable('job')
      .set({ attempts: 7, leased_until: new Date(0) })
      .execute()
    const reasons: string[] = []
    await drainQueue(
      gone(reasons, () => Promise.resolve()),
      { except: [] },
    )
    expect(reasons).toEqual(['the process that ran the job ended'])
    expect(await queue.db.selectFrom('job').select('state').execute()).toEqual([{ state: 'failed' }])
  })

  it('is given up after its session was lost seven times', async () => {
    await queue.refresh('f')
    const reasons: string[] = []
    await drainQueue(
      gone(reasons, () => Promise.reject(Object.assign(new Error('gone'), { code: '57P01' }))),
      { except: [] },
    )
    expect(reasons).toEqual(['gone'])
    expect(await queue.db.selectFrom('job').select(['state', 'attempts']).execute()).toEqual([
      { state: 'failed', attempts: 7 },
    ])
  })
})

describe('a worker', () => {
  it('works until stopped and gives back what it could not finish', async () => {
    const done: string[] = []
    const { promise: twice, resolve } = Promise.withResolvers<undefined>()
    const worker = startWorker(
      queue.worker(
        tasks((_kind, payload) => {
          done.push(familyOf({ payload }) ?? '')
          if (done.length === 2) resolve(undefined)
          return Promise.resolve()
        }),
      ),
      { concurrency: 2 },
    )
    await queue.refresh('a')
    await queue.refresh('b')
    worker.wake()
    await twice
    await worker.stop()
    expect(done.sort()).toEqual(['a', 'b'])
    expect(await queue.db.selectFrom('job').select('id').execute()).toEqual([])
  })

  it('does not count it against a job that its session was lost, also one with a single attempt', async () => {
    let runs = 0
    const { promise: again, resolve } = Promise.withResolvers<undefined>()
    const worker = startWorker(
      queue.worker(
        tasks(() => {
          runs += 1
          if (runs === 1) return Promise.reject(Object.assign(new Error('gone'), { code: '57P01' }))
          resolve(undefined)
          return Promise.resolve()
        }),
      ),
      { concurrency: 1 },
    )
    await enqueueJob(queue.db, {
      kind: 'refresh_source',
      key: 'kev',
      payload: { source: 'kev' },
      runAt: testNow,
    })
    worker.wake()
    await again
    await worker.stop()
    expect(await queue.db.selectFrom('job').select('id').execute()).toEqual([])
  })
})
