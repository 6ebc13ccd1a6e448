import pino from 'pino'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Pool } from 'pg'
import type { Tables } from '../../src/database/tables.ts'
import { listenTo } from '../../src/platform/postgres/listen.ts'
import { createPool, createQueries } from '../../src/platform/postgres/pool.ts'
import { isSessionLost } from '../../src/platform/postgres/store-away.ts'
import { createStoreProbe } from '../../src/platform/readiness.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startStoreProxy, type StoreProxy } from '../support/store-proxy.ts'

const log = pino({ level: 'silent' })

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

type Path = { proxy: StoreProxy; pool: Pool }

/** A network path to the test's own database, and a pool that uses it. */
async function withPath(test: (path: Path) => Promise<void>): Promise<void> {
  const proxy = await startStoreProxy(database.direct)
  const pool = createPool({ connectionString: proxy.url }, { max: 3, applicationName: 'test silence', log })
  try {
    await test({ proxy, pool })
  } finally {
    if (!pool.ended) await pool.end()
    await proxy.close()
  }
}

/** Duration in milliseconds, and the error. */
async function timeOf(work: Promise<unknown>): Promise<{ ms: number; error: unknown }> {
  const startedAt = performance.now()
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  return { ms: performance.now() - startedAt, error }
}

// They wait for the path, not for each other.
describe.concurrent('a path to the database that loses everything without a word', () => {
  it('fails a statement in seconds, as one whose session was cut, and the idle sessions with it', () =>
    withPath(async ({ proxy, pool }) => {
      const clients = await Promise.all([pool.connect(), pool.connect(), pool.connect()])
      for (const client of clients) client.release()
      proxy.silence()
      const { ms, error } = await timeOf(pool.query('select 1'))
      expect(isSessionLost(error)).toBe(true)
      expect(ms).toBeLessThan(10_000)
      const next = await timeOf(pool.query('select 1'))
      expect(next.error).toBeNull()
      expect(next.ms).toBeLessThan(2_000)
    }))

  it('lets the query builder run a first reading statement again', () =>
    withPath(async ({ proxy, pool }) => {
      const db = createQueries<Tables>(pool)
      await db.selectFrom('store_probe').selectAll().execute()
      proxy.silence()
      const { ms, error } = await timeOf(db.selectFrom('store_probe').selectAll().execute())
      expect(error).toBeNull()
      expect(ms).toBeLessThan(10_000)
    }))

  it('ends what is left at the server of a transaction, and the locks it holds', () =>
    withPath(async ({ proxy, pool }) => {
      const client = await pool.connect()
      await client.query('begin; create table if not exists held (id int); lock table held')
      await client.query('commit; begin; lock table held')
      proxy.silence()
      const { error } = await timeOf(client.query('select 1'))
      expect(isSessionLost(error)).toBe(true)
      client.release(true)
      const { ms } = await timeOf(database.pool.query('select * from held'))
      expect(ms).toBeLessThan(5_000)
    }))

  it('ends it as soon as it can be told, where it could not while it was lost', () =>
    withPath(async ({ proxy, pool }) => {
      const client = await pool.connect()
      await client.query('create table if not exists kept (id int)')
      await client.query('begin; lock table kept')
      proxy.silence({ alsoNew: true, unheard: true })
      const { error } = await timeOf(client.query('select 1'))
      expect(isSessionLost(error)).toBe(true)
      client.release(true)
      proxy.speak()
      // waits for the lock for ten seconds
      expect((await timeOf(database.pool.query('select * from kept'))).error).toBeNull()
    }))

  it('fails a statement also while nobody can be asked, and a new session in seconds', () =>
    withPath(async ({ proxy, pool }) => {
      await pool.query('select 1')
      proxy.silence({ alsoNew: true })
      const { ms, error } = await timeOf(pool.query('select 1'))
      expect(isSessionLost(error)).toBe(true)
      expect(ms).toBeLessThan(10_500)
      const opening = await timeOf(pool.query('select 1'))
      expect(isSessionLost(opening.error)).toBe(true)
      expect(opening.ms).toBeLessThan(10_000)
      proxy.speak()
      expect((await timeOf(pool.query('select 1'))).error).toBeNull()
    }))

  it('lets a statement go on at a server that takes no new session and answers another one', () =>
    withPath(async ({ proxy, pool }) => {
      const [waits, answered] = await Promise.all([pool.connect(), pool.connect()])
      proxy.takeNone()
      const slow = timeOf(waits.query('select pg_sleep(12)'))
      for (let turn = 0; turn < 24; turn += 1) {
        await answered.query('select 1')
        await sleep(500)
      }
      expect((await slow).error).toBeNull()
      for (const client of [waits, answered]) client.release()
    }))

  it('lets a statement that takes long go on', () =>
    withPath(async ({ pool }) => {
      const { error } = await timeOf(pool.query('select pg_sleep(12)'))
      expect(error).toBeNull()
    }))

  it('is left by a pool that ends', () =>
    withPath(async ({ proxy, pool }) => {
      await pool.query('select 1')
      proxy.silence({ alsoNew: true })
      const { ms } = await timeOf(pool.end())
      expect(ms).toBeLessThan(4_000)
    }))

  it('is noticed by a listener, which hears again in seconds', () =>
    withPath(async ({ proxy }) => {
      let heard = 0
      const channels = { silence_test: () => (heard += 1) }
      const listener = listenTo({ connectionString: proxy.url }, { channels, log })
      while (heard === 0) await sleep(10)
      proxy.silence()
      const { ms } = await timeOf(
        (async () => {
          while (heard === 1) await sleep(50)
        })(),
      )
      expect(ms).toBeLessThan(10_000)
      await database.pool.query('notify silence_test')
      while (heard === 2) await sleep(10)
      await listener.stop()
    }))

  it('is seen by the probe, each time within its deadline', () =>
    withPath(async ({ proxy, pool }) => {
      const probe = createStoreProbe({ db: createQueries<Tables>(pool), log, version: 1 })
      expect(await probe()).toEqual({ store: true, writable: true })
      proxy.silence({ alsoNew: true })
      for (let turn = 0; turn < 2; turn += 1) {
        // a timer of the same process: a busy machine delays it as it delays the deadline
        const late = sleep(2_500, 'too late', { ref: false })
        expect(await Promise.race([probe(), late])).toEqual({ store: false, writable: false })
      }
      proxy.speak()
      const { ms } = await timeOf(
        (async () => {
          while (!(await probe()).store) await sleep(50)
        })(),
      )
      expect(ms).toBeLessThan(10_000)
    }))
})
