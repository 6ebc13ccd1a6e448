import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Tx } from '../../src/database/connection.ts'
import { copyInto } from '../../src/platform/postgres/copy.ts'
import { prepared, preparedLast } from '../../src/platform/postgres/prepared.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let store: TestDatabase
beforeAll(async () => {
  store = await createTestDatabase()
  await sql`create table kept (id int primary key, parent int references kept deferrable initially deferred)`.execute(
    store.db,
  )
})
afterAll(() => store.drop())
beforeEach(() => sql`delete from kept`.execute(store.db))

const inTransaction = <T>(work: (tx: Tx) => Promise<T>) => store.db.transaction().execute(work)
const insert = (tx: Tx, id: number, end = prepared) =>
  sql`insert into kept (id) values (${id}) ${end}`.execute(tx)
async function ids(): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from kept order by id`.execute(store.db)
  return rows.map(({ id }) => id)
}

test('a transaction begins with its first statement and is rolled back as a whole', async () => {
  const failing = inTransaction(async (tx) => {
    await insert(tx, 1)
    expect(await ids()).toEqual([])
    await insert(tx, 2)
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await ids()).toEqual([])
})

test('a first statement that fails leaves a session that can be used', async () => {
  await inTransaction((tx) => insert(tx, 1))
  for (let round = 0; round < 12; round += 1)
    await expect(inTransaction((tx) => insert(tx, 1))).rejects.toThrow('kept_pkey')
  await inTransaction((tx) => insert(tx, 2))
  expect(await ids()).toEqual([1, 2])
})

test('a transaction of nothing, of text without values and of COPY', async () => {
  expect(await inTransaction(() => Promise.resolve('nothing'))).toBe('nothing')
  await inTransaction((tx) => sql`insert into kept (id) values (1)`.execute(tx))
  const columns = [{ name: 'id', value: (row: { id: number }) => row.id }]
  await inTransaction((tx) => copyInto(tx, { table: 'kept', columns, rows: [{ id: 2 }, { id: 3 }] }))
  const failing = inTransaction(async (tx) => {
    await copyInto(tx, { table: 'kept', columns, rows: [{ id: 4 }] })
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await ids()).toEqual([1, 2, 3])
})

test('a last statement commits what came before it, and alone', async () => {
  await inTransaction(async (tx) => {
    await insert(tx, 1)
    await insert(tx, 2, preparedLast)
    expect(await ids()).toEqual([1, 2])
  })
  await inTransaction((tx) => insert(tx, 3, preparedLast))
  expect(await ids()).toEqual([1, 2, 3])
})

test('a last statement that fails commits nothing', async () => {
  await inTransaction((tx) => insert(tx, 1))
  const failing = inTransaction(async (tx) => {
    await insert(tx, 2)
    await insert(tx, 1, preparedLast)
  })
  await expect(failing).rejects.toThrow('kept_pkey')
  expect(await ids()).toEqual([1])
})

test('a commit that fails behind a last statement is the failure of the transaction', async () => {
  const orphan = (tx: Tx) =>
    sql`insert into kept (id, parent) values (${1}, ${7}) ${preparedLast}`.execute(tx)
  await expect(inTransaction(orphan)).rejects.toThrow('kept_parent_fkey')
  expect(await ids()).toEqual([])
})

test('nothing follows a last statement', async () => {
  const following = inTransaction(async (tx) => {
    await insert(tx, 1, preparedLast)
    await insert(tx, 2)
  })
  await expect(following).rejects.toThrow('has ended')
  expect(await ids()).toEqual([1])
})

test('outside of a transaction a last statement is one of its own', async () => {
  await insert(store.db as unknown as Tx, 1, preparedLast)
  expect(await ids()).toEqual([1])
})
