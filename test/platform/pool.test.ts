import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPool, createQueries, retrySerialization } from '../../src/platform/postgres/pool.ts'
import { openSession } from '../../src/platform/postgres/session.ts'
import { isSessionLost } from '../../src/platform/postgres/store-away.ts'
import { startStoreProxy } from '../support/store-proxy.ts'
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts'

const silent = { warn: () => undefined }

/** Ends a session and returns when it is gone, while this process reads nothing from its own sockets. */
function terminateNow(databaseUrl: string, processId: number): void {
  const program = `
    const { default: pg } = await import('pg')
    const session = new pg.Client({ connectionString: process.argv[1] })
    await session.connect()
    await session.query('SELECT pg_terminate_backend($1, 10000)', [Number(process.argv[2])])
    await session.end()`
  execFileSync(process.execPath, ['--input-type=module', '-e', program, databaseUrl, String(processId)])
}

describe('the pool', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())

  const application = 'pool to be hurt'
  const own = (max: number) => {
    const pool = createPool(database.connection, { max, applicationName: application, log: silent })
    const db = createQueries<unknown>(pool)
    return { db, pool, end: () => db.destroy() }
  }
  // a session being opened is active for a moment, too
  const isSleeping = `(state <> 'active' OR query LIKE '%pg_sleep%')`
  const countActive = async () => {
    const { rowCount } = await database.pool.query(
      `SELECT FROM pg_stat_activity WHERE application_name = $1 AND state = 'active' AND ${isSleeping}`,
      [application],
    )
    return rowCount ?? 0
  }
  const until = async (holds: () => Promise<boolean>) => {
    while (!(await holds())) await sleep(5)
  }
  /** Ends the sessions of `own` in a state, as soon as there is one. */
  const endSessions = async (state: string) => {
    for (let ended = 0; ended === 0;) {
      const { rowCount } = await database.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND state = $2 AND ${isSleeping}`,
        [application, state],
      )
      ended = rowCount ?? 0
    }
  }

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

  it('reads and isolates in the same way, however the database is set', async () => {
    const other = await createEmptyDatabase()
    const admin = new pg.Client(other.direct)
    await admin.connect()
    for (const setting of [
      `TimeZone = 'America/New_York'`,
      `DateStyle = 'SQL, DMY'`,
      `IntervalStyle = 'sql_standard'`,
      `bytea_output = 'escape'`,
      `standard_conforming_strings = off`,
      `extra_float_digits = 0`,
      `default_transaction_isolation = 'serializable'`,
    ])
      await admin.query(`ALTER DATABASE ${other.name} SET ${setting}`)
    await admin.end()
    const pool = createPool(other.connection, { max: 1, applicationName: 'test', log: silent })
    const at = new Date('2026-02-03T04:05:06.789Z')
    const read = `SELECT current_setting('transaction_isolation') AS isolation, $1::timestamptz AS at, $1::timestamptz::date AS day, $1::timestamptz::text AS text,
      INTERVAL '90 minutes'::text AS span, '\\x00ff'::bytea::text AS raw, 0.1::float8 + 0.2::float8 AS sum`
    const seen = await pool.query(read, [at])
    const usual = await database.pool.query(read, [at])
    expect(usual.rows).toMatchObject([{ isolation: 'read committed', at, sum: 0.1 + 0.2 }])
    expect(seen.rows).toEqual(usual.rows)
    await pool.end()
    const { client } = await openSession(other.connection, { applicationName: 'test' })
    expect((await client.query('SELECT $1::timestamptz AS at', [at])).rows).toEqual([{ at }])
    await client.end()
    await other.drop()
  })

  it('has no statement compiled, whatever the server does by itself', async () => {
    const { rows } = await database.pool.query(`SELECT current_setting('jit') AS jit`)
    expect(rows).toEqual([{ jit: 'off' }])
  })

  it('survives the loss of an idle session, and says so', async () => {
    const warnings: unknown[] = []
    const log = { warn: (...words: unknown[]) => void warnings.push(words) }
    const pool = createPool(database.direct, { max: 1, applicationName: 'to be ended', log })
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

  it('survives the loss of a session in use: the statement fails, the next one finds a new session', async () => {
    const { db, end } = own(1)
    const failing = expect(sql`DO 'BEGIN PERFORM pg_sleep(60); END'`.execute(db)).rejects.toMatchObject({
      code: '57P01',
    })
    await endSessions('active')
    await failing
    expect((await sql`SELECT 2 AS two`.execute(db)).rows).toEqual([{ two: 2 }])
    await end()
  })

  it('survives the loss of a session between two statements of a transaction, which fails as a whole', async () => {
    const { db, end } = own(1)
    await sql`CREATE TABLE kept (id int)`.execute(db)
    const transaction = db.transaction().execute(async (tx) => {
      await sql`INSERT INTO kept VALUES (1)`.execute(tx)
      await endSessions('idle in transaction')
      await sql`INSERT INTO kept VALUES (2)`.execute(tx)
    })
    await expect(transaction).rejects.toSatisfy(isSessionLost)
    expect((await sql`SELECT * FROM kept`.execute(db)).rows).toEqual([])
    await end()
  })

  it('begins a transaction or a question on a new session when the store has ended the one that lay idle', async () => {
    const { db, pool, end } = own(1)
    // The end of the session stays unread until a statement meets it.
    const meetDeadSession = async <T>(ask: () => Promise<T>): Promise<T> => {
      const client = await pool.connect()
      const process = (client as unknown as { processID: number }).processID
      client.release()
      terminateNow(database.url, process)
      return ask()
    }
    expect((await meetDeadSession(() => sql`SELECT 3 AS three`.execute(db))).rows).toEqual([{ three: 3 }])
    const asked = await meetDeadSession(() =>
      db.transaction().execute((tx) => sql`SELECT 4 AS four`.execute(tx)),
    )
    expect(asked.rows).toEqual([{ four: 4 }])
    await end()
  })

  it('waits for a session while the server has none free, and says what to do when none comes free', async () => {
    const proxy = await startStoreProxy(database.direct)
    const connection = { connectionString: proxy.url }
    proxy.refuse(true)
    await expect(openSession(connection, { applicationName: 'one', patienceMs: 50 })).rejects.toMatchObject({
      code: 'no_room',
    })
    const pool = createPool(connection, { max: 2, applicationName: 'test', log: silent })
    const asked = sql`SELECT 5 AS five`.execute(createQueries(pool))
    for (const before = proxy.refused(); proxy.refused() < before + 2;) await sleep(10)
    proxy.refuse(false)
    expect((await asked).rows).toEqual([{ five: 5 }])
    await pool.end()
    await proxy.close()
  })

  it('survives a connection that is cut without a word', async () => {
    const proxy = await startStoreProxy(database.direct)
    const pool = createPool(
      { connectionString: proxy.url },
      { max: 2, applicationName: application, log: silent },
    )
    const db = createQueries<unknown>(pool)
    const lost = expect(sql`DO 'BEGIN PERFORM pg_sleep(60); END'`.execute(db)).rejects.toSatisfy(
      isSessionLost,
    )
    await until(async () => (await countActive()) > 0)
    proxy.cut()
    await lost
    expect((await sql`SELECT 6 AS six`.execute(db)).rows).toEqual([{ six: 6 }])
    await endSessions('active')
    await db.destroy()
    await proxy.close()
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
    // on a busy machine the restarted one may meet the other before it has gone on
    expect(attempts).toBeGreaterThanOrEqual(3)
    const { rows } = await database.pool.query('SELECT amount FROM account ORDER BY id')
    expect(rows).toEqual([{ amount: 2 }, { amount: 2 }])
  })

  // The server aborts the session that detects a deadlock, and each session checks once, a second after it starts to wait: the schema
  // change has checked before there is a cycle, so the query detects it.
  it('runs a question again that loses a deadlock with a change of the schema', async () => {
    await database.pool.query(
      'CREATE TABLE first (id int); CREATE TABLE middle (id int); CREATE TABLE second (id int)',
    )
    const { db, end } = own(1)
    const [upgrade, other] = await Promise.all([database.pool.connect(), database.pool.connect()])
    const waitsFor = (table: string) =>
      until(async () => {
        const waiting = `SELECT FROM pg_locks WHERE NOT granted AND relation = '${table}'::regclass`
        return (await database.pool.query(waiting)).rowCount === 1
      })
    try {
      await upgrade.query('BEGIN; ALTER TABLE second ADD COLUMN name text')
      await other.query('BEGIN; LOCK TABLE middle')
      const asked = sql`SELECT first.id FROM first, middle, second`.execute(db)
      await waitsFor('middle')
      const changed = upgrade.query('ALTER TABLE first ADD COLUMN name text')
      await waitsFor('first')
      await sleep(2_000)
      await other.query('COMMIT')
      await changed
      await upgrade.query('COMMIT')
      expect((await asked).rows).toEqual([])
    } finally {
      upgrade.release()
      other.release()
      await end()
    }
  })
})
