import { afterAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { killDuringIncidents } from './scenarios/kill-during-incidents.ts'
import { killDuringWarnings } from './scenarios/kill-during-warnings.ts'

const databases: TestDatabase[] = []
async function open(): Promise<TestDatabase> {
  const database = await createTestDatabase()
  databases.push(database)
  return database
}
afterAll(() => Promise.all(databases.map((database) => database.drop())))

// Each with its own store and processes.
it.concurrent('kill -9 while incidents open and are decided loses and doubles no incident, event, warning or approval', async () => {
  const { db, url } = await open()
  const { figures, failures } = await killDuringIncidents({ db, storeEnv: { DATABASE_URL: url }, kills: 3 })
  console.info(figures)
  expect(failures).toEqual([])
  expect(figures['incidents']).toBeGreaterThan(10)
  expect(figures['warnings']).toBeGreaterThan(4)
}, 600_000)

it.concurrent('kill -9 of one of two processes that warn of deadlines leaves one warning for each report', async () => {
  const { db, url } = await open()
  const order = { db, storeEnv: { DATABASE_URL: url }, kills: 2, reports: 20 }
  const { figures, failures } = await killDuringWarnings(order)
  console.info(figures)
  expect(failures).toEqual([])
  expect(figures).toMatchObject({ reports: 40, deliveries: 80 })
}, 600_000)
