import { createPool, createQueries } from '../../src/platform/postgres/pool.ts'
import type { Tables } from '../../src/database/tables.ts'
import { createCompany, createFamilyToken } from '../support/company.ts'
import { startTestHttp } from '../support/http.ts'
import { onDatabase, startTestServer } from '../support/test-server.ts'
import { sendFuzzedUploads } from './send-uploads.ts'
import { testNow } from '../support/clock.ts'

/**
 * The full fuzz run: `npm run fuzz -- [count] [first seed]`, `count` uploads to each endpoint. Prints the report as JSON; exits with 1 if
 * an upload was answered 5xx, outside the contract, or after more than 2 s.
 */
const count = Number(process.argv[2] ?? 10_000)
const firstSeed = Number(process.argv[3] ?? 1_000)

const { server, close } = await startTestServer()
const connection = onDatabase(server.serviceConnection, server.template)
const pool = createPool(connection, { max: 10, applicationName: 'fuzz', log: console })
const db = createQueries<Tables>(pool)
const database = { name: server.template, connection, url: '', pool, db, drop: () => Promise.resolve() }
const http = await startTestHttp({ database, now: () => testNow, hasParserChildren: true })
const company = await createCompany(db, 'fuzz')
const token = async () => (await createFamilyToken(db, company)).secret

// The first upload waits for the parser child to start.
const { url } = http
await sendFuzzedUploads({ url, token, target: 'sboms', firstSeed: 0, count: 4, maxMs: 60_000 })
let failures = 0
for (const target of ['sboms', 'vex', 'connectors/dependency-track'] as const) {
  const report = await sendFuzzedUploads({ url, token, target, firstSeed, count, maxMs: 2_000 })
  const shown = { target, ...report, slowestMs: Math.round(report.slowestMs) }
  process.stdout.write(`${JSON.stringify(shown, null, 2)}\n`)
  failures += report.failures.length
}

await http.stop()
await pool.end()
await close()
process.exitCode = failures === 0 ? 0 : 1
