import { afterAll, beforeAll, expect, it } from 'vitest'
import { runRestoredBackup } from '../reliability/scenarios/restored-backup.ts'
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts'

let source: TestDatabase
let target: TestDatabase
beforeAll(async () => {
  ;[source, target] = [await createTestDatabase(), await createEmptyDatabase()]
})
afterAll(() => Promise.all([source.drop(), target.drop()]))

it('a restored service has the same rows, feed and clocks, takes the same credentials, and warns once of what is due', async () => {
  const stores = { source: source.connection, target: target.direct }
  const { figures, failures } = await runRestoredBackup({ ...stores, publications: 4 })
  console.info(figures)
  expect(failures).toEqual([])
  // two documents with their digests, and three other files
  expect(figures).toMatchObject({ feedFiles: 9 })
  expect(figures['warnedBefore']).toBeGreaterThan(0)
  expect(figures['warnedAfter']).toBeGreaterThan(0)
  expect(figures['rows']).toBeGreaterThan(100)
  expect(figures['chained']).toBeGreaterThan(4)
}, 600_000)
