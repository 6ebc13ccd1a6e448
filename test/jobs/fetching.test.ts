import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { JobKind } from '../../src/jobs.ts'
import type { Tasks } from '../../src/queue/run-next.ts'
import { startWorker } from '../../src/queue/worker.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { enqueueJob } from '../support/enqueue-job.ts'
import { addWorkspace } from '../support/rows.ts'
import { newId } from '../../src/platform/random.ts'

const maxFetching = 4

let store: TestDatabase
beforeAll(async () => {
  store = await createTestDatabase()
})
afterAll(() => store.drop())

it('does other work while every host that it asks and the mail server keep it waiting', async () => {
  const asked: string[] = []
  const { promise: areAsked, resolve: askedAll } = Promise.withResolvers<undefined>()
  const { promise: isMatched, resolve: matched } = Promise.withResolvers<undefined>()
  const { promise: answers, resolve: answer } = Promise.withResolvers<undefined>()
  const { promise: isMailing, resolve: mailing } = Promise.withResolvers<undefined>()
  let mails = 0
  const run = async (kind: JobKind, payload: { source?: string }) => {
    if (kind === 'match_packages') {
      matched(undefined)
      return
    }
    if (kind === 'mail_reporter') {
      mails += 1
      if (mails === maxFetching) mailing(undefined)
      await answers
      return
    }
    asked.push(payload.source ?? '')
    if (asked.length === maxFetching) askedAll(undefined)
    await answers
  }
  const task = (kind: JobKind) => ({ run: (payload: object) => run(kind, payload) })
  const tasks = new Proxy({} as Tasks, { get: (_target, kind) => task(kind as JobKind) })
  const sources = Array.from({ length: 16 }, (_, index) => `source-${index}`)
  for (const source of sources)
    await enqueueJob(store.db, { kind: 'refresh_source', key: source, payload: { source }, runAt: testNow })
  const worker = startWorker(
    {
      db: store.db,
      queue: store.db,
      now: () => testNow,
      log: pino({ level: 'silent' }),
      name: 'w',
      tasks,
    },
    { concurrency: 4 },
  )
  await areAsked
  const workspaceId = await addWorkspace(store.db, 'acme')
  for (const mail of Array.from({ length: 8 }, () => newId(testNow)))
    await enqueueJob(store.db, {
      kind: 'mail_reporter',
      payload: { workspaceId, reportId: mail, cause: 'news', mailId: mail },
      runAt: testNow,
      workspaceId,
    })
  worker.wake()
  await isMailing
  await enqueueJob(store.db, {
    kind: 'match_packages',
    payload: { packageKeys: ['npm/a'] },
    runAt: testNow,
  })
  worker.wake()
  await isMatched
  expect([asked.length, mails]).toEqual([maxFetching, maxFetching])
  answer(undefined)
  await expect.poll(() => asked.length).toBe(sources.length)
  await worker.stop()
  expect([...asked].sort()).toEqual([...sources].sort())
})

it('claims no more other work than it has turns for, however many places to fetch are free', async () => {
  const { promise: isDone, resolve: finish } = Promise.withResolvers<undefined>()
  const task = { run: () => isDone }
  const tasks = new Proxy({} as Tasks, { get: () => task })
  for (let at = 0; at < 10; at += 1)
    await enqueueJob(store.db, {
      kind: 'match_packages',
      payload: { packageKeys: [`npm/${at}`] },
      runAt: testNow,
    })
  const state = { db: store.db, queue: store.db, now: () => testNow, log: pino({ level: 'silent' }), tasks }
  const worker = startWorker({ ...state, name: 'busy' }, { concurrency: 1 })
  const claimed = async () => {
    const rows = await store.db.selectFrom('job').select('id').where('state', '=', 'running').execute()
    return rows.length
  }
  await expect.poll(claimed).toBe(2)
  const other = startWorker({ ...state, name: 'idle' }, { concurrency: 1 })
  await expect.poll(claimed).toBe(4)
  finish(undefined)
  await Promise.all([worker.stop(), other.stop()])
})
