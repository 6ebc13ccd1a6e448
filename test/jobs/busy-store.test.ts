import pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { drainQueue } from '../../src/queue/drain-queue.ts'
import type { Tasks } from '../../src/queue/run-next.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { enqueueJob } from '../support/enqueue-job.ts'
import { testNow } from '../support/clock.ts'

let store: TestDatabase
beforeAll(async () => {
  store = await createTestDatabase()
})
afterAll(() => store.drop())
beforeEach(async () => {
  await store.db.deleteFrom('job').execute()
  await enqueueJob(store.db, { kind: 'refresh_exploited', key: 'all', payload: {}, runAt: testNow })
})

/** One worker's look at the queue, `minutes` later: how often the job ran, and whether it was given up. */
async function look(minutes: number, run: () => Promise<void>) {
  const told = { runs: 0, givenUp: 0 }
  const task = {
    run: () => {
      told.runs += 1
      return run()
    },
    giveUp: () => {
      told.givenUp += 1
      return Promise.resolve()
    },
  }
  const worker = {
    db: store.db,
    queue: store.db,
    now: () => new Date(testNow.getTime() + minutes * 60_000),
    log: pino({ level: 'silent' }),
    name: 'w',
    tasks: { refresh_exploited: task } as unknown as Tasks,
  }
  await drainQueue(worker, { except: [] })
  return told
}

const jobs = () => store.db.selectFrom('job').select(['state', 'attempts']).execute()

/** A statement on a table that a session of somebody else has locked, as VACUUM FULL does. */
async function readLocked(): Promise<void> {
  const [holder, reader] = [new pg.Client(store.direct), new pg.Client(store.direct)]
  await Promise.all([holder.connect(), reader.connect()])
  try {
    await holder.query('BEGIN; LOCK TABLE finding IN ACCESS EXCLUSIVE MODE')
    await reader.query(`BEGIN; SET LOCAL lock_timeout = '10ms'; SELECT FROM finding`)
  } finally {
    await Promise.all([holder.end(), reader.end()])
  }
}

const raise = (code: string) => () =>
  store.pool
    .query(`DO $$ BEGIN RAISE EXCEPTION 'of the server' USING errcode = '${code}'; END $$`)
    .then(() => undefined)

describe('a job is done later, however often the server could do nothing for it', () => {
  it.each<[string, () => Promise<void>]>([
    ['somebody else locks the table', readLocked],
    ['the disk is full', raise('53100')],
    ['a file cannot be written', raise('58030')],
    ['every session is taken', raise('53300')],
    ['the server only reads', raise('25006')],
  ])('%s', async (_, run) => {
    for (let minute = 0; minute < 10; minute += 1)
      expect(await look(minute, run)).toEqual({ runs: 1, givenUp: 0 })
    expect(await jobs()).toEqual([{ state: 'waiting', attempts: 0 }])
    expect(await look(10, () => Promise.resolve())).toEqual({ runs: 1, givenUp: 0 })
    expect(await jobs()).toEqual([])
  })
})

it('one whose own statement takes too long is given up after its attempts', async () => {
  expect(await look(0, raise('57014'))).toEqual({ runs: 5, givenUp: 1 })
  expect(await jobs()).toEqual([{ state: 'failed', attempts: 5 }])
})
