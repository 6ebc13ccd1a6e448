import { afterAll, beforeAll, expect, it } from 'vitest'
import { newKeyText } from '../../src/platform/sealing/key-ring.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startService, type Service } from '../support/service.ts'
import { runSecrets } from './scenarios/secrets/run-secrets.ts'

const keys = newKeyText()
const metricsToken = 'a-metrics-token-of-this-test'
let store: TestDatabase
let service: Service

beforeAll(async () => {
  store = await createTestDatabase()
  service = await startService({
    env: {
      DATABASE_URL: store.url,
      LOG_LEVEL: 'trace',
      OPERATOR_PAGES: 'on',
      ENCRYPTION_KEYS: keys,
      METRICS_TOKEN: metricsToken,
    },
    readyWithinMs: 120_000,
  })
}, 240_000)
afterAll(async () => {
  await service.stop()
  await store.drop()
})

it(
  'neither the store, nor the log, nor a later answer has a secret that was made or typed',
  { timeout: 240_000 },
  async () => {
    const { figures, failures } = await runSecrets({
      service,
      db: store.db,
      configured: [keys, metricsToken],
    })
    expect(failures).toEqual([])
    expect(figures['secrets']).toBeGreaterThan(25)
  },
)

it('no line of the log has a key twice', () => {
  const lines = service
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
  expect(lines.length).toBeGreaterThan(25)
  // of two values under one key, parsing keeps the last
  expect(lines.filter((line) => JSON.stringify(JSON.parse(line)) !== line)).toEqual([])
})
