import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import pino from 'pino'
import { describe, expect, it, vi } from 'vitest'
import { recordActs } from '../../src/audit/record-acts.ts'
import { chainEvents } from '../../src/audit/chain-events.ts'
import { startChaining } from '../../src/audit/start-chaining.ts'
import type { Verified } from '../../src/audit/verify-trail.ts'
import { newKeyText } from '../../src/platform/sealing/key-ring.ts'
import { testNow } from '../support/clock.ts'
import { runCommand } from '../support/command.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { enqueueJob } from '../support/enqueue-job.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { runCli } from '../support/service.ts'
import { startWorkProcess, type WorkProcess } from '../support/work-process.ts'
import { tester } from '../support/actors.ts'

const patienceMs = 120_000
/** The promise in docs/audit.md. */
const promiseMs = 10_000

type Trail = { store: TestDatabase; workspaces: [TestWorkspace, TestWorkspace] }

/** A database of its own: the acts waiting to be chained are counted over all workspaces. */
async function withTrail(test: (trail: Trail) => Promise<void>): Promise<void> {
  const store = await createTestDatabase()
  try {
    await test({ store, workspaces: await createScene(store.db) })
  } finally {
    await store.drop()
  }
}

/** Renames a family of the workspace, or, without one, records sign-ins. */
async function record({ store }: Trail, count: number, workspaceId: string | null): Promise<void> {
  const acts = Array.from({ length: count }, (_, index) => ({
    workspaceId,
    at: testNow,
    actor: tester,
    action: workspaceId === null ? ('person.signed_in' as const) : ('family.renamed' as const),
    object: { kind: 'family' as const, id: `${index}` },
  }))
  await store.db.transaction().execute((tx) => recordActs(tx, acts))
}

async function waiting({ store }: Trail): Promise<number> {
  const { rows } = await store.pool.query<{ count: number }>('select count(*)::int as count from audit_due')
  return rows[0]?.count ?? 0
}

describe('a process that chains', () => {
  it.each([0, 1, 1_000, 2_999])(
    'chains within ten seconds what was recorded %i ms after it began',
    (afterMs) =>
      withTrail(async (trail) => {
        const { db } = trail.store
        await chainEvents(db)
        vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
        try {
          const chaining = startChaining({ db, log: pino({ level: 'silent' }) })
          vi.advanceTimersByTime(afterMs)
          await record(trail, 3, trail.workspaces[0].id)
          expect(await waiting(trail)).toBe(3)
          vi.advanceTimersByTime(promiseMs)
          // waits for the current run and starts no other
          await chaining.stop()
        } finally {
          vi.useRealTimers()
        }
        expect(await waiting(trail)).toBe(0)
      }),
  )
})

const env = (url: string) => ({
  DATABASE_URL: url,
  BASE_URL: 'http://localhost:3000',
  LOG_LEVEL: 'error',
  ENCRYPTION_KEYS: newKeyText(),
})
const verify = ({ store }: Trail) =>
  runCommand<Verified>({ ...process.env, ...env(store.url) }, ['audit', 'verify'])

/** A process whose database sessions carry its own name. */
function startNamed({ store }: Trail, name: string): WorkProcess {
  const url = new URL(store.url)
  url.searchParams.set('application_name', name)
  return startWorkProcess(env(url.toString()))
}

/** Which of two processes waits for a lock in the transaction that chains. */
async function untilOneChains({ store }: Trail): Promise<string> {
  const until = performance.now() + patienceMs
  while (performance.now() < until) {
    const { rows } = await store.pool.query<{ name: string }>(`
      select application_name as name from pg_stat_activity
      where datname = current_database() and application_name in ('first', 'second')
        and wait_event_type = 'Lock' and query ~ 'audit_(link|chain|due)'`)
    if (rows[0] !== undefined) return rows[0].name
    await sleep(20)
  }
  throw new Error('no process was seen while it chained')
}

async function untilChained(trail: Trail): Promise<void> {
  const until = performance.now() + patienceMs
  while ((await waiting(trail)) > 0) {
    if (performance.now() > until) throw new Error(`${await waiting(trail)} acts were not chained`)
    await sleep(50)
  }
}

/** Blocks writes to the table while acts wait to be chained. Returns how many wait: a process may have chained some before. */
async function holdBack(trail: Trail, holder: pg.Client, table: string): Promise<number> {
  for (;;) {
    await record(trail, 1_200, trail.workspaces[0].id)
    await record(trail, 700, trail.workspaces[1].id)
    await record(trail, 30, null)
    await holder.query(`begin; lock table ${table} in share row exclusive mode`)
    const held = await waiting(trail)
    if (held > 0) return held
    await holder.query('rollback')
  }
}

/** The trail after one of two processes was killed while waiting to write to `table`. */
async function killWhileWriting(trail: Trail, table: string): Promise<void> {
  const living = new Map(['first', 'second'].map((name) => [name, startNamed(trail, name)]))
  const holder = new pg.Client(trail.store.connection)
  try {
    await untilChained(trail)
    await holder.connect()
    const held = await holdBack(trail, holder, table)
    const name = await untilOneChains(trail)
    const victim = living.get(name)
    living.delete(name)
    await victim?.kill()
    expect(await waiting(trail)).toBe(held)
    await holder.query('rollback')
    await record(trail, 5, trail.workspaces[0].id)
    await untilChained(trail)
  } finally {
    await holder.end()
    await Promise.all([...living.values()].map(({ stop }) => stop()))
  }
}

// Each case has its own database, and mostly waits.
describe.concurrent('two processes that chain one database, one of them killed', () => {
  it.each(['audit_chain', 'audit_link', 'audit_due'])(
    'leave a whole trail when it was about to write to %s',
    { timeout: 400_000 },
    (table) =>
      withTrail(async (trail) => {
        await killWhileWriting(trail, table)
        const { isWhole, waiting: left, problems, chains } = await verify(trail)
        expect({ isWhole, left, problems }).toEqual({
          isWhole: true,
          left: { events: 0, first: null },
          problems: [],
        })
        const { rows } = await trail.store.pool.query(`
        select (select count(*)::int from audit_event) as events, count(*)::int as links,
          count(distinct event_id)::int as chained from audit_link`)
        const events = chains.reduce((sum, chain) => sum + chain.events, 0)
        expect(rows).toEqual([{ events, links: events, chained: events }])
        expect(events).toBeGreaterThan(1_935)
      }),
  )
})

describe('drain', () => {
  it('chains what its own jobs have recorded too', { timeout: 120_000 }, () =>
    withTrail(async (trail) => {
      const { store, workspaces } = trail
      const { email } = workspaces[0].members.owner
      const payload = { email, address: '192.0.2.7', requestId: 'r-1', linkId: workspaces[0].id }
      await enqueueJob(store.db, { kind: 'reset_password', payload, runAt: testNow })
      expect(await runCli({ ...process.env, ...env(store.url) }, ['drain'])).toMatchObject({
        reset_password: 1,
      })
      const { rows } = await store.pool.query<{ action: string }>(
        'select e.action from audit_event e join audit_link l on l.event_id = e.id',
      )
      expect(rows.map(({ action }) => action)).toContain('person.password_reset_requested')
      expect(await waiting(trail)).toBe(0)
    }),
  )
})
