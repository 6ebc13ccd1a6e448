import { afterAll, beforeAll, expect, test } from 'vitest'
import { runHostileDestinations } from '../reliability/scenarios/hostile-destinations.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('no destination reaches the machine itself, and each is recorded as failed in words without an address', async () => {
  const { figures, failures } = await runHostileDestinations({ db: database.db, rebindings: 50 })
  expect(failures).toEqual([])
  expect(figures).toMatchObject({ canaryConnections: 0, rebindings: 50 })
  expect(figures['destinations']).toBeGreaterThanOrEqual(150)
})
