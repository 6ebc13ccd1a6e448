import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

it.each([
  ['component', 'family_id'],
  ['component', 'workspace_id'],
  ['finding', 'family_id'],
  ['finding', 'version_id'],
  ['vex_statement', 'document_id'],
  ['vex_claim', 'document_id'],
  ['vex_target', 'document_id'],
])('%s.%s has no statistics, so that no plan is made for a newcomer without rows', async (table, column) => {
  const { rows } = await database.pool.query<{ target: number }>(
    'select attstattarget as target from pg_attribute where attrelid = $1::regclass and attname = $2',
    [table, column],
  )
  expect(rows).toEqual([{ target: 0 }])
})
