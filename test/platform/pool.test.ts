import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPool, retrySerialization } from '../../src/platform/postgres/pool.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

const silent = { warn: () => undefined }

describe('the pool', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())

  it('hands columns over as numbers, dates as text and instants as Date', async () => {
    const { rows } = await sql`
      SELECT 9007199254740991::int8 AS id, 1.25::numeric AS score, DATE '2026-02-28' AS day,
             ARRAY[1, 2]::int8[] AS ids, TIMESTAMPTZ '2026-01-01T02:00:00+02' AS at, '\\x00ff'::bytea AS raw,
             '{"a":1}'::jsonb AS document`.execute(database.db)
    expect(rows).toEqual([
      {
        id: Number.MAX_SAFE_INTEGER,
        score: 1.25,
        day: '2026-02-28',
        ids: [1, 2],
        at: new Date('2026-01-01T00:00:00Z'),
        raw: Buffer.from([0, 255]),
        document: { a: 1 },
      },
    ])
    await expect(database.pool.query('SELECT 9007199254740992::int8')).rejects.toThrow(RangeError)
  })

  it('bounds every wait and works in UTC', async () => {
    const { rows } = await database.pool.query(`
      SELECT current_setting('TimeZone') AS zone, current_setting('statement_timeout') AS statement,
             current_setting('lock_timeout') AS lock, current_setting('idle_in_transaction_session_timeout') AS idle`)
    expect(rows).toEqual([{ zone: 'UTC', statement: '1min', lock: '10s', idle: '1min' }])
    const pool = createPool(database.connection, {
      max: 1,
      applicationName: 'test',
      log: silent,
      statementTimeoutMs: 50,
    })
    await expect(pool.query('SELECT pg_sleep(5)')).rejects.toMatchObject({ code: '57014' })
    await pool.end()
  })

  it('survives the loss of an idle session, and says so', async () => {
    const warnings: unknown[] = []
    const log = { warn: (...words: unknown[]) => void warnings.push(words) }
    const pool = createPool(database.connection, { max: 1, applicationName: 'to be ended', log })
    await pool.query('SELECT 1')
    const removed = new Promise((resolve) => pool.once('remove', resolve))
    await database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'to be ended'`,
    )
    await removed
    expect((await pool.query('SELECT 2 AS two')).rows).toEqual([{ two: 2 }])
    expect(warnings).not.toHaveLength(0)
    await pool.end()
  })

  it('is reached through its address as through its parts', async () => {
    const session = new pg.Client({ connectionString: database.url })
    await session.connect()
    const { rows } = await session.query('SELECT current_database() AS name')
    expect(rows).toEqual([{ name: database.name }])
    await session.end()
  })

  it('repeats the transaction that loses a real deadlock', async () => {
    await database.pool.query('CREATE TABLE account (id int PRIMARY KEY, amount int NOT NULL)')
    await database.pool.query('INSERT INTO account VALUES (1, 0), (2, 0)')
    let arrived = 0
    let open: () => void = () => undefined
    const bothHoldOne = new Promise<void>((resolve) => (open = resolve))
    let attempts = 0
    const transfer = (first: number, second: number) =>
      retrySerialization(() => {
        attempts += 1
        return database.db.transaction().execute(async (tx) => {
          await sql`UPDATE account SET amount = amount + 1 WHERE id = ${first}`.execute(tx)
          arrived += 1
          if (arrived === 2) open()
          await bothHoldOne
          await sql`UPDATE account SET amount = amount + 1 WHERE id = ${second}`.execute(tx)
        })
      })
    await Promise.all([transfer(1, 2), transfer(2, 1)])
    expect(attempts).toBe(3)
    const { rows } = await database.pool.query('SELECT amount FROM account ORDER BY id')
    expect(rows).toEqual([{ amount: 2 }, { amount: 2 }])
  })
})
