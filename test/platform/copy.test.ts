import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Db } from '../../src/database/connection.ts'
import { copied, type CopyColumn } from '../../src/platform/postgres/copy-rows.ts'
import { copyInto } from '../../src/platform/postgres/copy.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

type Row = {
  number: number
  text: string | null
  flag?: boolean
  at?: Date
  bytes?: Uint8Array
}

const columns: CopyColumn<Row>[] = [
  copied.int('number', ({ number }) => number),
  copied.text('text', ({ text }) => text),
  copied.boolean('flag', ({ flag }) => flag ?? null),
  copied.time('at', ({ at }) => at ?? null),
  copied.bytes('bytes', ({ bytes }) => bytes ?? null),
]

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  await sql`create table copied (
    number int generated always as identity primary key, text text, flag boolean, at timestamptz, bytes bytea
  )`.execute(database.db)
})

beforeEach(async () => {
  await sql`truncate copied`.execute(database.db)
})

afterAll(() => database.drop())

async function readBack(): Promise<unknown[]> {
  const { rows } = await sql`select * from copied order by number`.execute(database.db)
  return rows
}

function write(db: Db, rows: Iterable<Row>): Promise<void> {
  return copyInto(db, { table: 'copied', columns, rows })
}

test('every kind of value comes back as it was written', async () => {
  const texts = [
    '',
    ' ',
    '\\',
    '\\N',
    '\\.',
    'tab\there',
    'line\nend\r\n',
    '\\x00',
    'ä\u{1f600}',
    '"{,}"',
    'NULL',
  ]
  const rows: Row[] = texts.map((text, place) => ({ number: place + 1, text }))
  rows.push({
    number: 100,
    text: null,
    flag: true,
    at: new Date('2026-01-02T03:04:05.678Z'),
    bytes: Uint8Array.of(0, 92, 10, 255),
  })
  rows.push({ number: 101, text: null, flag: false, bytes: new Uint8Array(0) })
  await write(database.db, rows)
  const empty = { flag: null, at: null, bytes: null }
  expect(await readBack()).toEqual([
    ...texts.map((text, place) => ({ ...empty, number: place + 1, text })),
    { number: 100, text: null, flag: true, at: rows.at(-2)?.at, bytes: Buffer.from([0, 92, 10, 255]) },
    { number: 101, text: null, flag: false, at: null, bytes: Buffer.alloc(0) },
  ])
})

test('no rows are written as nothing, and the session goes on', async () => {
  await database.db.transaction().execute(async (tx) => {
    await write(tx, [])
    await write(tx, [{ number: 1, text: 'after' }])
  })
  expect(await readBack()).toHaveLength(1)
})

test('megabytes are sent piece by piece while other work has its turn', async () => {
  const long = 'x'.repeat(100_000)
  const rows = Array.from({ length: 300 }, (_, place) => ({ number: place + 1, text: long }))
  let turns = 0
  const ticking = setInterval(() => (turns += 1), 0)
  await write(database.db, rows)
  clearInterval(ticking)
  expect(turns).toBeGreaterThan(0)
  const { rows: sizes } = await sql`select count(*), min(length(text)) as shortest from copied`.execute(
    database.db,
  )
  expect(sizes).toEqual([{ count: 300, shortest: 100_000 }])
})

test('what the server refuses is thrown as its error, and the session can be used again', async () => {
  const twice = Array.from({ length: 5_000 }, (_, place) => ({ number: place % 10, text: 'x'.repeat(1_000) }))
  await database.db.connection().execute(async (session) => {
    await expect(write(session, twice)).rejects.toMatchObject({ code: '23505' })
    await write(session, [{ number: 1, text: 'again' }])
  })
  expect(await readBack()).toHaveLength(1)
})

test('what making the rows throws is thrown, nothing is written, and the session can be used again', async () => {
  const failure = new TypeError('no more rows')
  const failing = function* (): Generator<Row> {
    yield { number: 1, text: 'first' }
    throw failure
  }
  await database.db.connection().execute(async (session) => {
    await expect(write(session, failing())).rejects.toBe(failure)
    await write(session, [{ number: 2, text: 'again' }])
  })
  expect(await readBack()).toMatchObject([{ number: 2 }])
})

test('a session that is cut off while rows are sent ends the call', async () => {
  const cut = async () =>
    database.db.connection().execute(async (session) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(session)
      const pid = rows[0]?.pid
      let isCut = false
      const endless = function* (): Generator<Row> {
        for (let number = 1; number < 1_000_000; number += 1) {
          if (number === 2_000 && !isCut) {
            isCut = true
            void sql`select pg_terminate_backend(${pid}::int)`.execute(database.db)
          }
          yield { number, text: 'x'.repeat(200) }
        }
      }
      await write(session, endless())
    })
  await expect(cut()).rejects.toThrow()
  expect(await readBack()).toEqual([])
})
