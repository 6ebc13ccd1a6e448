import { gzipSync } from 'node:zlib'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { drainQueue } from '../../src/queue/drain-queue.ts'
import type { Tasks } from '../../src/queue/run-next.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { inImportTransaction, waitingAtMost } from '../../src/vulndata/ledger/import-lock.ts'
import { noteAttempt } from '../../src/vulndata/ledger/outcomes.ts'
import { giveUpRefresh, refreshSource } from '../../src/vulndata/refresh.ts'
import { vulndataSchedule } from '../../src/vulndata/scheduled.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { testSealing } from '../support/http.ts'
import { testNow } from '../support/clock.ts'
import {
  addIdentity,
  asImportOf,
  emptyStore,
  importDeps,
  mirrorOf,
  record,
  serve,
  type WebServer,
} from './support.ts'

let database: TestDatabase
let server: WebServer

const cves = Array.from({ length: 400 }, (_, index) => `CVE-2025-${1000 + index}`)
const files = {
  'kev.json': JSON.stringify({
    catalogVersion: '2025.08.25',
    count: cves.length,
    vulnerabilities: cves.map((cveID) => ({ cveID, dateAdded: '2025-03-01' })),
  }),
  'eukev.json': JSON.stringify(
    cves.map((cveID) => ({ cveID, dateReported: '2025/03/02', originSource: 'X' })),
  ),
  'kev/dump': JSON.stringify(
    cves.map((cveId, index) => ({
      cveId,
      euvdId: `EUVD-2025-${index + 1}`,
      dateAdded: '2025-03-01',
      sources: ['eu_kev'],
    })),
  ),
  mapping: ['euvd_id,cve_id', ...cves.map((cve, index) => `EUVD-2025-${index + 1},${cve}`)].join('\n'),
  'epss.csv.gz': gzipSync(
    [
      '#model_version:v2025.03.14,score_date:2025-08-25T00:00:00Z',
      'cve,epss,percentile',
      ...cves.map((cve) => `${cve},0.5,0.9`),
      '',
    ].join('\n'),
  ),
  ...mirrorOf('npm', [record('OSV-2025-1', 'npm/one')]),
}

beforeAll(async () => {
  database = await createTestDatabase()
  server = await serve(files)
})
beforeEach(() => emptyStore(database.db))
afterAll(async () => {
  server.close()
  await database.drop()
})

const deps = () =>
  importDeps(database.db, {
    kev: `${server.url}/kev.json`,
    eukev: `${server.url}/eukev.json`,
    euvd: `${server.url}/kev/dump`,
    euvdMapping: `${server.url}/mapping`,
    epss: `${server.url}/epss.csv.gz`,
    osv: server.url,
    nvd: `${server.url}/nvd`,
  })

async function tick(): Promise<void> {
  const config = { ...readConfig({}).config, ...deps().config }
  for (const { run } of vulndataSchedule)
    await run({ db: database.db, config, sealing: testSealing }, testNow)
}

/** One worker of several: runs whatever is due. */
async function work(name: string): Promise<void> {
  const tasks = {
    refresh_source: {
      run: (payload: { source: string }) => refreshSource(deps(), { ...payload, now: testNow }),
    },
    match_packages: { run: () => Promise.resolve() },
    refresh_exploited: { run: () => Promise.resolve() },
  } as unknown as Tasks
  const { db } = database
  const log = pino({ level: 'silent' })
  await drainQueue({ db, queue: db, now: () => testNow, log, tasks, name }, { except: [] })
}

test.each([1, 2, 3, 4, 5, 6])(
  'after the first turn every source has ended with data or an error, start %i',
  async () => {
    await addIdentity(database.db, 'npm', 'one')
    const workers = Array.from({ length: 6 }, (_, index) => `worker-${index}`)
    await Promise.all(workers.map(tick))
    await Promise.all(workers.map(work))
    const rows = await database.db
      .selectFrom('data_source')
      .select(['name', 'last_outcome as outcome', 'record_count as records', 'last_error as error'])
      .orderBy('name')
      .execute()
    const entries = { outcome: 'new_data', records: cves.length, error: null }
    const one = { outcome: 'new_data', records: 1, error: null }
    expect(rows).toEqual([
      { name: 'epss', ...entries },
      { name: 'eukev', ...entries },
      { name: 'euvd', ...entries },
      { name: 'euvdMapping', ...entries },
      { name: 'kev', ...entries },
      // nothing has a CPE, so there is nothing to ask for
      { name: 'nvd', outcome: 'unchanged', records: 0, error: null },
      { name: 'osv', ...one },
      { name: 'osv-reconcile:npm', ...one },
      { name: 'osv:npm', ...one },
    ])
  },
)

test('whoever waits for another import waits so long and no longer, and the row says why nothing came', async () => {
  const { db } = database
  await inImportTransaction(db, asImportOf('catalogues'), async () => {
    const waiting = waitingAtMost(500)
    const second = inImportTransaction(db, { lock: 'catalogues', waiting }, () => Promise.resolve())
    await expect(second).rejects.toThrow('another import of vulnerability data has been running')
  })
})

test('an attempt whose process died has ended with an error once its job is given up', async () => {
  const { db } = database
  const row = () =>
    db
      .selectFrom('data_source')
      .select(['last_outcome', 'last_error', 'failing_since'])
      .where('name', '=', 'kev')
      .executeTakeFirst()
  await noteAttempt(db, { name: 'kev', address: deps().config.feeds['kev'] ?? null, now: testNow })
  expect(await row()).toEqual({ last_outcome: null, last_error: null, failing_since: null })
  await giveUpRefresh(deps(), { source: 'kev', now: testNow })
  const cut = 'the attempt was cut short; the next one comes by itself'
  expect(await row()).toEqual({ last_outcome: 'error', last_error: cut, failing_since: testNow })
  await refreshSource(deps(), { source: 'kev', now: testNow })
  expect(await row()).toEqual({ last_outcome: 'new_data', last_error: null, failing_since: null })
  await giveUpRefresh(deps(), { source: 'kev', now: testNow })
  expect(await row()).toMatchObject({ last_outcome: 'new_data', last_error: null })
})
