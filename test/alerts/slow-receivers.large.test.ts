import { afterAll, beforeAll, expect, test } from 'vitest'
import { runSlowReceivers } from '../reliability/scenarios/slow-receivers.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('slow and broken receivers are recorded as what they are, and hold up nobody', async () => {
  const { figures, failures } = await runSlowReceivers({ db: database.db, healthy: 10, hanging: 100 })
  console.info(figures)
  expect(failures).toEqual([])
  expect(figures['slowestMs']).toBeLessThan(30_000)
})
