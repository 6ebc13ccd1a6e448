import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importVulnerabilityData } from '../../src/vulndata/import.ts'
import type { RecordReport } from '../../src/vulndata/reading/record-import.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { importDeps } from './support.ts'
import { testNow } from '../support/clock.ts'

const samples = resolve('../shared/data/osv')
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})

afterAll(() => database.drop())

const expected: [ecosystem: string, records: number][] = [
  ['AlmaLinux', 5637],
  ['Bitnami', 7444],
  ['Go', 4291],
  ['PyPI', 2661],
  ['crates.io', 1206],
]

test.skipIf(!existsSync(samples))(
  'the sample mirror is taken over whole, and a second time changes nothing (needs the sample data)',
  async () => {
    const deps = importDeps(database.db)
    for (const [ecosystem, records] of expected) {
      const [report] = await importVulnerabilityData(deps, { from: join(samples, ecosystem), now: testNow })
      expect(report).toMatchObject({ source: `osv:${ecosystem}`, records, added: records })
    }
    const again = (await importVulnerabilityData(deps, { from: samples, now: testNow })) as RecordReport[]
    expect(again.map((report) => [report.records, report.unchanged])).toEqual(
      expected.map(([, records]) => [records, records]),
    )
  },
  120_000,
)
