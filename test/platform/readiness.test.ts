import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tables } from '../../src/database/tables.ts'
import { createPool, createQueries } from '../../src/platform/postgres/pool.ts'
import { createStoreProbe } from '../../src/platform/readiness.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startStoreProxy } from '../support/store-proxy.ts'

const log = pino({ level: 'silent' })

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** Raises PostgreSQL's error for a table that cannot grow (53100). */
async function fillDisk(isFull: boolean): Promise<void> {
  await database.pool.query(
    isFull
      ? `create function refuse_page() returns trigger language plpgsql as $$
         begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
         create trigger refuse_page before insert on store_probe for each row execute function refuse_page()`
      : `drop trigger refuse_page on store_probe; drop function refuse_page()`,
  )
}

describe('what a process may expect of the store', () => {
  it('answers and accepts writes, and leaves nothing behind', async () => {
    const probe = createStoreProbe({ db: database.db, log, version: 1 })
    expect(await probe()).toEqual({ store: true, writable: true })
    expect(await database.db.selectFrom('store_probe').selectAll().execute()).toEqual([])
  })

  it('accepts no writes when its disk is full', async () => {
    await fillDisk(true)
    const probe = createStoreProbe({ db: database.db, log, version: 1 })
    expect(await probe()).toEqual({ store: true, writable: false })
    await fillDisk(false)
    // A result is valid for ten seconds; a probe without one asks.
    expect(await probe()).toEqual({ store: true, writable: false })
    const fresh = createStoreProbe({ db: database.db, log, version: 1 })
    expect(await fresh()).toEqual({ store: true, writable: true })
  })

  it('every write takes a page of its own, so that none finds room on a full disk', async () => {
    const pages = async () => {
      const { rows } = await database.pool.query<{ bytes: number }>(
        `select pg_relation_size('store_probe') as bytes`,
      )
      return (rows[0]?.bytes ?? 0) / 8192
    }
    const before = await pages()
    for (let turn = 0; turn < 3; turn += 1) await createStoreProbe({ db: database.db, log, version: 1 })()
    expect(await pages()).toBe(before + 3)
  })

  it('is not as this program knows it when its schema is older', async () => {
    const probe = createStoreProbe({ db: database.db, log, version: 9_999 })
    expect(await probe()).toEqual({ store: false, writable: false })
  })

  it('is away when it does not answer in time, and back with the next answer', async () => {
    const proxy = await startStoreProxy(database.direct)
    const pool = createPool({ connectionString: proxy.url }, { max: 1, applicationName: 'test', log })
    const db = createQueries<Tables>(pool)
    const probe = createStoreProbe({ db, log, version: 1 })
    proxy.refuse(true)
    expect(await probe()).toEqual({ store: false, writable: false })
    proxy.refuse(false)
    for (let state = await probe(); !state.store;) state = await probe()
    await db.destroy()
    await proxy.close()
  })
})
