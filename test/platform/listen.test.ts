import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listenTo } from '../../src/platform/postgres/listen.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startStoreProxy } from '../support/store-proxy.ts'

const silent = { warn: () => undefined }

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const listening = `application_name = 'sbom-monitor listen' AND datname = current_database()`

async function listeners(): Promise<number> {
  const { rowCount } = await database.pool.query(`SELECT FROM pg_stat_activity WHERE ${listening}`)
  return rowCount ?? 0
}

it('listens again after every loss, on one session', async () => {
  let heard = 0
  let others = 0
  const until = async (more: number) => {
    for (const wanted = heard + more; heard < wanted;) await sleep(10)
  }
  const began = until(1)
  const listener = listenTo(database.direct, {
    channels: { test: () => (heard += 1), other: () => (others += 1) },
    log: silent,
  })
  await began
  for (let round = 0; round < 4; round += 1) {
    const again = until(1)
    await database.pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${listening}`)
    await again
    // the server may still be ending the session before it
    await expect.poll(listeners).toBe(1)
  }
  const notified = until(1)
  await database.pool.query('NOTIFY test')
  await notified
  expect(others).toBe(5)
  await listener.stop()
  while ((await listeners()) > 0) await sleep(10)
})

it('stops at once while the server has no session free for it', async () => {
  const proxy = await startStoreProxy(database.direct)
  proxy.refuse(true)
  const channels = { test: () => undefined }
  const listener = listenTo({ connectionString: proxy.url }, { channels, log: silent })
  while (proxy.refused() < 2) await sleep(10)
  const stopped = listener.stop().then(() => 'stopped')
  expect(await Promise.race([stopped, sleep(8_000, 'waits on', { ref: false })])).toBe('stopped')
  proxy.refuse(false)
  await stopped
  await proxy.close()
})
