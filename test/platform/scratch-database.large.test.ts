import { rm } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createScratchDatabase } from '../../src/cli/verify/scratch/scratch-database.ts'
import type { Store } from '../../src/platform/postgres/store.ts'
import { createRunFolder, onDatabase, openTestStore } from '../support/test-server.ts'

let folder: string
let store: Store
let admin: pg.Client

/** A server of its own, where autovacuum starts within a second and takes minutes. */
const busyAutovacuum = [
  'autovacuum_naptime = 1',
  'autovacuum_vacuum_cost_delay = 100',
  'autovacuum_vacuum_cost_limit = 1',
]

beforeAll(async () => {
  folder = await createRunFolder()
  store = await openTestStore(null, folder)
  admin = new pg.Client(store.adminConnection)
  await admin.connect()
  for (const setting of busyAutovacuum) await admin.query(`ALTER SYSTEM SET ${setting}`)
  await admin.query('SELECT pg_reload_conf()')
  await admin.query('CREATE ROLE creator LOGIN CREATEDB')
})
afterAll(async () => {
  await admin.end()
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

it('is dropped by a role that is not a superuser while autovacuum, and a session of that role, are in it', async () => {
  const connection = { ...store.connection, user: 'creator' }
  const ofCreator = { ...onDatabase(connection, 'postgres') }
  const scratch = await createScratchDatabase({ admin: ofCreator, connection: ofCreator, owner: null })
  const guest = new pg.Client(scratch.connection)
  // disconnected with the database
  guest.on('error', () => undefined)
  await guest.connect()
  await guest.query(`CREATE TABLE filled AS SELECT repeat('x', 500) AS text FROM generate_series(1, 20000)`)
  const workers = async () => {
    const { rowCount } = await admin.query(
      `SELECT FROM pg_stat_activity WHERE datname = $1 AND backend_type = 'autovacuum worker'`,
      [scratch.name],
    )
    return rowCount
  }
  await expect.poll(workers, { timeout: 60_000, interval: 50 }).toBeGreaterThan(0)
  await scratch.drop()
  const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [scratch.name])
  expect(rowCount).toBe(0)
})
