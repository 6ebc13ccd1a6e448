import pino from 'pino'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readConfig } from '../../src/platform/config/config.ts'
import { createPool, createQueries } from '../../src/platform/postgres/pool.ts'
import type { Tables } from '../../src/database/tables.ts'
import { startTicking } from '../../src/worker/schedule.ts'
import { testSealing } from '../support/http.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { testNow } from '../support/clock.ts'

let store: TestDatabase
let lines: string[]
beforeEach(async () => {
  store = await createTestDatabase()
  lines = []
})
afterEach(() => store.drop())

const feeds = ['OSV', 'KEV', 'EUKEV', 'EUVD', 'EUVD_MAPPING', 'EPSS', 'NVD']
const { config } = readConfig({
  BASE_URL: 'http://localhost:3000',
  ...Object.fromEntries(feeds.map((name) => [`${name}_URL`, 'off'])),
})
const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })

/** Ticks in its own pool, stops after so long, and closes the pool as an exiting process does. Returns the completed ticks. */
async function tickFor(ms: number): Promise<number> {
  const pool = createPool(store.connection, { max: 4, applicationName: 'ticking', log })
  let ticks = 0
  const place = { db: createQueries<Tables>(pool), now: () => testNow, config, sealing: testSealing, log }
  const ticking = startTicking(place, () => {
    ticks += 1
  })
  await sleep(ms)
  await ticking.stop()
  const ticksAtStop = ticks
  await pool.end()
  return ticksAtStop
}

it.each([0, 5, 20, 50, 100, 200])(
  'leaves nothing under way on a store that is closed: stopped after %i ms',
  async (ms) => {
    expect(await tickFor(ms)).toBe(1)
    await sleep(50)
    expect(lines).toEqual([])
  },
)
