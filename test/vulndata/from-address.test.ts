import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { importVulnerabilityData } from '../../src/vulndata/import.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { importDeps, record, serve, wholeFile, type WebServer } from './support.ts'

let database: TestDatabase
let server: WebServer

beforeAll(async () => {
  database = await createTestDatabase()
  const scores =
    '#model_version:v2026.06.15,score_date:2026-01-02T00:00:00Z\ncve,epss,percentile\nCVE-2026-1001,0.5,0.9\n'
  server = await serve({
    'npm/all.zip': wholeFile([record('OSV-2026-1', 'npm/left')]),
    'epss.csv.gz': gzipSync(scores),
  })
})
afterAll(async () => {
  server.close()
  await database.drop()
})

it.each([
  ['npm/all.zip', 'osv:npm'],
  ['epss.csv.gz', 'epss'],
])('an archive at an address is loaded: %s', async (path, source) => {
  const from = `${server.url}/${path}`
  const reports = await importVulnerabilityData(importDeps(database.db), { from, now: testNow })
  expect(reports.map((report) => report.source)).toEqual([source])
})
