import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ArrivingBodies } from '../../src/http/bodies/arriving-bodies.ts'
import { paceRule } from '../../src/http/bodies/body-pace.ts'
import { createMetrics } from '../../src/http/metrics.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { addDeliveryMetrics } from '../../src/alerts/deliveries/delivery-metrics.ts'
import { addPoolMetrics, addStoreStateMetrics, createRegistry } from '../../src/platform/metrics.ts'
import { createStoreProbe } from '../../src/platform/readiness.ts'
import { createSealing } from '../../src/platform/sealing/sealing.ts'
import { addOperationMetrics } from '../../src/views/operation/operation-metrics.ts'
import { addJobMetrics, addQueueMetrics, type ObserveJob } from '../../src/queue/metrics.ts'
import { addSourceMetrics } from '../../src/vulndata/source-metrics.ts'
import { recordError, recordNewData } from '../../src/vulndata/ledger/outcomes.ts'
import type { Parser } from '../../src/parser/client.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { enqueueJob } from '../support/enqueue-job.ts'
import { testNow } from '../support/clock.ts'
import { configuredSources } from '../../src/vulndata/sources/all.ts'

const bound = { maxBytes: 1, maxBodies: 1 }

const log = pino({ level: 'silent' })
const later = new Date(testNow.getTime() + 90_000)

let database: TestDatabase
let registry: ReturnType<typeof createRegistry>
let observeJob: ObserveJob

const parser = {
  state: () => ({
    isReady: true,
    pid: 1,
    waitingFiles: 0,
    waitingBytes: 0,
    handedFiles: 0,
    large: { pid: 2, isReading: false },
  }),
} as unknown as Parser

beforeAll(async () => {
  database = await createTestDatabase()
  const { config } = readConfig({ NVD_URL: 'off' }, { sources: configuredSources })
  const deps = { db: database.db, now: () => later, log, config }
  registry = createRegistry({ version: '1.2.3', role: 'work' })
  addPoolMetrics(registry, database.pool)
  addQueueMetrics(registry, deps)
  addSourceMetrics(registry, deps)
  observeJob = addJobMetrics(registry)
  createMetrics(registry, parser, new ArrivingBodies({ ...bound, strangers: bound, pace: paceRule }))
  await enqueueJob(database.db, { kind: 'refresh_exploited', payload: {}, runAt: testNow })
  await enqueueJob(database.db, { kind: 'refresh_exploited', payload: {}, runAt: later })
  await database.db
    .transaction()
    .execute((tx) => recordNewData(tx, { name: 'kev', address: null, now: testNow }, { recordCount: 7 }))
  await recordError(database.db, { name: 'epss', address: null, now: testNow }, 'no answer')
})
afterAll(() => database.drop())

describe('metrics', () => {
  it('show the queue, the pool, the sources, the jobs and the build', async () => {
    observeJob('match_sbom', 'done', 0.2)
    const text = await registry.metrics()
    expect(text).toContain('sbom_monitor_jobs{kind="refresh_exploited",state="waiting"} 2')
    expect(text).toContain('sbom_monitor_jobs{kind="match_sbom",state="failed"} 0')
    expect(text).toContain('sbom_monitor_oldest_job_age_seconds{kind="refresh_exploited"} 90')
    // an autoscaler that misses a value takes no pod away
    expect(text).toContain('sbom_monitor_oldest_job_age_seconds{kind="match_sbom"} 0')
    expect(text).toMatch(/sbom_monitor_database_sessions\{state="in_use"\} \d+/)
    expect(text).toContain('sbom_monitor_database_sessions_max 10')
    expect(text).toContain('sbom_monitor_database_waiting_requests 0')
    expect(text).toMatch(/sbom_monitor_source_state\{source="kev",state="(ok|partial)"\} 1/)
    expect(text).toContain('sbom_monitor_source_age_seconds{source="kev"} 90')
    expect(text).toContain('sbom_monitor_source_records{source="kev"} 7')
    expect(text).toContain('sbom_monitor_source_state{source="epss",state="failing"} 1')
    expect(text).toContain('sbom_monitor_source_state{source="nvd",state="off"} 1')
    expect(text).toContain('sbom_monitor_source_state{source="osv",state="never"} 1')
    expect(text).toContain('sbom_monitor_job_duration_seconds_count{kind="match_sbom",outcome="done"} 1')
    expect(text).toContain(
      `sbom_monitor_build_info{version="1.2.3",role="work",node_version="${process.version}"} 1`,
    )
  })

  it('ask the store once for many scrapes', async () => {
    await enqueueJob(database.db, { kind: 'refresh_exploited', payload: {}, runAt: later })
    const texts = await Promise.all([registry.metrics(), registry.metrics()])
    for (const text of texts)
      expect(text).toContain('sbom_monitor_jobs{kind="refresh_exploited",state="waiting"} 2')
  })

  it('are named as Prometheus recommends', async () => {
    const all = await registry.getMetricsAsJSON()
    const own = all.filter(({ name }) => !/^(process|nodejs)_/.test(name))
    expect(own.length).toBeGreaterThan(10)
    for (const { name, help, type } of own) {
      expect(name).toMatch(/^sbom_monitor_[a-z][a-z0-9_]*$/)
      expect(help, name).toMatch(/^[A-Z0-9].*\.$/)
      // Base units, and suffixes that promtool reserves for counters and histograms.
      expect(name).not.toMatch(/_(ms|milliseconds|minutes|hours|days|kb|mb|count|sum|bucket)$/)
      expect(name.endsWith('_total'), name).toBe(String(type) === 'counter')
    }
  })

  it('leave out what is in the store while it is away', async () => {
    const other = await createTestDatabase()
    const deps = { db: other.db, now: () => later, log }
    const scrape = () => {
      const process = createRegistry({ version: '1', role: 'work' })
      addQueueMetrics(process, deps)
      addDeliveryMetrics(process, deps)
      addOperationMetrics(process, { ...deps, sealing: createSealing(null), sendsMail: true })
      addStoreStateMetrics(process, createStoreProbe({ db: other.db, log, version: 1 }))
      return process.metrics()
    }
    const named = (text: string) => [...text.matchAll(/^sbom_monitor_(\w+)/gm)].map(([, name]) => name)
    const whole = await scrape()
    expect(named(whole)).toEqual(expect.arrayContaining(['keys_ready', 'oldest_delivery_age_seconds']))
    expect(whole).toContain('sbom_monitor_database_answers 1\n')
    expect(whole).toContain('sbom_monitor_database_writable 1\n')
    await other.drop()
    const text = await scrape()
    // nothing says that no alert waits, or that the keys are wrong
    expect(new Set(named(text))).toEqual(
      new Set(['build_info', 'mail_server', 'database_answers', 'database_writable']),
    )
    expect(text).toContain('sbom_monitor_database_answers 0\n')
    expect(text).toContain('sbom_monitor_database_writable 0\n')
  })
})
