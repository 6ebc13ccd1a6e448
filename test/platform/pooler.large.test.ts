import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFamily, listFamilies } from '../../src/contract/products/operations.ts'
import type { Tables } from '../../src/database/tables.ts'
import { migrate } from '../../src/schema/migrate.ts'
import { poolingAt } from '../../src/platform/postgres/pooler/pooling.ts'
import { createPool, createQueries } from '../../src/platform/postgres/pool.ts'
import { pipelined } from '../../src/platform/postgres/pipelined.ts'
import { prepared } from '../../src/platform/postgres/prepared.ts'
import type { StoreConnection } from '../../src/platform/postgres/store-connection.ts'
import { AppSession } from '../support/app-session.ts'
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts'
import { call } from '../support/http.ts'
import {
  canTrack,
  hasPooler,
  poolerNote,
  startPooler,
  tracking,
  trackingNote,
  type Pooler,
} from '../support/pooler.ts'
import { sampleSbom } from '../support/sample-sbom.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { runCli, startService, type Service } from '../support/service.ts'
import { checkoutDir } from '../support/test-server.ts'

const commandEnv = { ...process.env, BASE_URL: 'http://localhost:3000' }
const migrations = join(checkoutDir, 'database/migrations')
/** Two processes with as many sessions as PgBouncer's default for a database. */
const fewSessions = { DATABASE_POOLER: '', DATABASE_POOL_SIZE: '3', PARSER_DATABASE_POOL_SIZE: '2' }
const silent = { warn: () => undefined }

type Limits = { zone: string; statement: string; lock: string; idle: string }
const limits = sql<Limits>`
  select current_setting('TimeZone') as zone, current_setting('statement_timeout') as statement,
    current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle`
const standard = { zone: 'UTC', statement: '1min', lock: '10s', idle: '1min' }

const ways = [
  { way: 'transaction mode, with its own defaults', mode: 'transaction', tracks: false },
  { way: 'session mode, with its own defaults', mode: 'session', tracks: false },
  { way: `transaction mode, where it tracks statements${trackingNote}`, mode: 'transaction', tracks: true },
] as const

for (const { way, mode, tracks } of ways) {
  describe.skipIf(!hasPooler || (tracks && !canTrack))(`behind PgBouncer in ${way}${poolerNote}`, () => {
    let store: TestDatabase
    let pooler: Pooler
    let acme: TestWorkspace
    let env: Record<string, string>
    let connection: StoreConnection

    beforeAll(async () => {
      store = await createTestDatabase()
      pooler = await startPooler({ server: store.direct, mode, settings: tracks ? tracking : {} })
      const url = pooler.url(store.name)
      env = {
        DATABASE_URL: url,
        ...(mode === 'transaction' ? { DATABASE_POOLER: mode } : fewSessions),
        ...(tracks ? { DATABASE_POOLER_STATEMENTS: 'tracked' } : {}),
        LOG_LEVEL: 'warn',
      }
      connection = {
        connectionString: url,
        ...(mode === 'session' ? {} : { pooler: mode, tracksStatements: tracks }),
      }
      ;[acme] = await createScene(store.db)
    })
    afterAll(async () => {
      await pooler.close()
      await store.drop()
    })

    const upload = async ({ baseUrl }: Service, file: number) => {
      const body = sampleSbom({ components: 5, serial: file, version: String(file) })
      const token = acme.families[0]?.upload ?? ''
      return (await call(`${baseUrl}/api/v1/sboms`, { method: 'POST', token, body })).status
    }
    const unmatched = async () => {
      const { rows } = await store.pool.query(`select from sbom where status <> 'matched'`)
      return rows.length
    }

    it('two processes take uploads, match them, and what is edited through one is seen through the other', async () => {
      const start = () => startService({ env, readyWithinMs: 120_000 })
      const services = await Promise.all([start(), start()])
      try {
        const statuses = services.flatMap((service, turn) =>
          Array.from({ length: 10 }, (_, file) => upload(service, 100 * turn + file + 1)),
        )
        expect(new Set(await Promise.all(statuses))).toEqual(new Set([202]))
        await expect.poll(unmatched).toBe(0)
        const [here, there] = services
        const session = await AppSession.signIn(here.baseUrl, acme.members.owner)
        await session.call(createFamily, { body: { name: 'edited' } })
        const { rows } = await session.at(there.baseUrl).call(listFamilies)
        expect(rows.map(({ name }) => name)).toContain('edited')
      } finally {
        await Promise.all(services.map(({ stop }) => stop()))
      }
    })

    it('statements have limits and are in UTC, in a transaction and outside of one', async () => {
      await runCli({ ...commandEnv, ...env }, ['migrate'])
      // Replaces sessions opened before the role had its limits.
      await pooler.command('RECONNECT')
      const pool = createPool(connection, { max: 3, applicationName: 'test', log: silent })
      const db = createQueries<Tables>(pool)
      expect((await limits.execute(db)).rows).toEqual([standard])
      expect((await db.transaction().execute((tx) => limits.execute(tx))).rows).toEqual([standard])
      await db.destroy()
      const other = { max: 3, applicationName: 'test', log: silent, lockTimeoutMs: 2_000, byIndexes: true }
      const queue = createQueries<Tables>(createPool(connection, other))
      const shorter = { ...standard, lock: '2s' }
      expect((await limits.execute(queue)).rows).toEqual([shorter])
      expect((await queue.transaction().execute((tx) => limits.execute(tx))).rows).toEqual([shorter])
      await expect(sql`select 1 / 0`.execute(queue)).rejects.toMatchObject({ code: '22012' })
      await queue.destroy()
    })

    it.runIf(mode === 'transaction')(
      'a statement has a name where names are tracked, whichever session it is lent',
      async () => {
        const pools = [1, 2].map(() =>
          createPool(connection, { max: 1, applicationName: 'test', log: silent }),
        )
        const [here, there] = pools.map((pool) => createQueries<Tables>(pool))
        if (here === undefined || there === undefined) throw new Error('no pool')
        const backend = sql<{ pid: number }>`select pg_backend_pid() as pid`
        const ask = (db: typeof here, text: string) =>
          sql<{
            word: string
            kept: string
          }>`select ${text} as word, (select count(*) from pg_prepared_statements) as kept ${prepared}`.execute(
            db,
          )
        const pids = new Set<number | undefined>()
        const counts = new Set<number>()
        for (let round = 0; round < 10; round += 1) {
          await here.transaction().execute(async (tx) => {
            pids.add((await backend.execute(tx)).rows[0]?.pid)
            // the other's statement uses another server session meanwhile, and the next round may get this one
            for (const db of [tx, there]) {
              const [row] = (await ask(db, `round ${round}`)).rows
              expect(row?.word).toBe(`round ${round}`)
              counts.add(Number(row?.kept))
            }
          })
          await there.transaction().execute(async (tx) => {
            pids.add((await backend.execute(tx)).rows[0]?.pid)
            await ask(here, 'here')
          })
        }
        expect(Math.max(...counts) > 0).toBe(tracks)
        await Promise.all([here.destroy(), there.destroy()])
      },
    )

    it.runIf(mode === 'transaction')(
      'a statement that failed before it was planned is planned the next time',
      async () => {
        const pool = createPool(connection, { max: 1, applicationName: 'test', log: silent, pipeline: true })
        const db = createQueries<Tables>(pool)
        const ask = (on: typeof db) =>
          sql<{ word: string }>`select ${'planned'} as word ${prepared}`.execute(on)
        const aborted = db.transaction().execute(async (tx) => {
          await pipelined([sql`select 1 / 0`.execute(tx), ask(tx)])
        })
        await expect(aborted).rejects.toMatchObject({ code: '22012' })
        // after another statement: a first, read-only one would be retried on another session
        const later = db.transaction().execute(async (tx) => {
          await sql`select 1`.execute(tx)
          return (await ask(tx)).rows
        })
        expect(await later).toEqual([{ word: 'planned' }])
        await db.destroy()
      },
    )

    it('several processes that start together migrate an empty database once', async () => {
      const empty = await createEmptyDatabase()
      const place = { ...connection, connectionString: pooler.url(empty.name) }
      const results = await Promise.all([1, 2, 3].map(() => migrate(place, migrations)))
      expect(results.filter(({ applied }) => applied.length > 0)).toHaveLength(1)
      expect(new Set(results.map(({ version }) => version)).size).toBe(1)
      await empty.drop()
    })

    it('a backup is written through it', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'pooler-'))
      const file = join(folder, 'backup.gz')
      const { rows } = await runCli<{ rows: number }>({ ...commandEnv, ...env }, ['backup', file])
      expect(rows).toBeGreaterThan(0)
      await rm(folder, { recursive: true })
    })
  })
}

describe.skipIf(!hasPooler)(
  `what does not fit a pooler is refused in words at the start${poolerNote}`,
  () => {
    let store: TestDatabase
    let other: TestDatabase
    let lending: Pooler
    let keeping: Pooler
    let lent: string

    beforeAll(async () => {
      store = await createTestDatabase()
      other = await createEmptyDatabase()
      lending = await startPooler({ server: store.direct, mode: 'transaction' })
      keeping = await startPooler({ server: store.direct, mode: 'session' })
      lent = lending.url(store.name)
    })
    afterAll(async () => {
      await lending.close()
      await keeping.close()
      await Promise.all([store.drop(), other.drop()])
    })

    const ask = (env: Record<string, string>, words = ['store']) => runCli({ ...commandEnv, ...env }, words)
    const pooled = () => ({ DATABASE_URL: lent, DATABASE_POOLER: 'transaction' })

    it('transaction mode that was not told of', async () => {
      await expect(ask({ DATABASE_URL: lent, DATABASE_POOLER: '' })).rejects.toThrow(
        'DATABASE_URL: a pooler lends its sessions for one transaction each; set DATABASE_POOLER=transaction',
      )
    })

    it('transaction mode that was not told of, to a process that gets no turn while the answers come', async () => {
      const { prototype } = pg.Client
      const ask = Reflect.get(prototype, 'query') as (...asked: unknown[]) => unknown
      const standStill = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_300)
      const asking = function (this: unknown, ...asked: unknown[]) {
        const answer = ask.apply(this, asked)
        // what was asked is sent, and is answered meanwhile
        setImmediate(standStill)
        return answer
      }
      try {
        Reflect.set(prototype, 'query', asking)
        expect(await poolingAt({ connectionString: lent })).toBe('transaction')
      } finally {
        Reflect.set(prototype, 'query', ask)
      }
    })

    it('statement mode', async () => {
      const pooler = await startPooler({ server: store.direct, mode: 'statement' })
      const env = { DATABASE_URL: pooler.url(store.name), DATABASE_POOLER: '' }
      await expect(ask(env)).rejects.toThrow('DATABASE_URL: a pooler lends its sessions')
      await expect(ask({ ...env, DATABASE_POOLER: 'transaction' })).rejects.toThrow('or has statement mode')
      await pooler.close()
    })

    it('names of statements that it does not track', async () => {
      const settings: Record<string, string> = canTrack ? { max_prepared_statements: '0' } : {}
      const pooler = await startPooler({ server: store.direct, mode: 'transaction', settings })
      const env = { ...pooled(), DATABASE_URL: pooler.url(store.name) }
      const trusting = { ...env, DATABASE_POOLER_STATEMENTS: 'tracked' }
      for (let attempt = 0; attempt < 2; attempt += 1)
        await expect(ask(trusting)).rejects.toThrow(
          'DATABASE_POOLER_STATEMENTS: the pooler does not track the names of statements',
        )
      await pooler.close()
    })

    it('an address to listen at that nobody can listen at', async () => {
      await expect(ask({ ...pooled(), DATABASE_LISTEN_URL: lent })).rejects.toThrow(
        'DATABASE_LISTEN_URL: a pooler lends its sessions for one transaction each, and nobody can listen through it',
      )
    })

    it('an address to listen at that leads to another database, or nowhere', async () => {
      const elsewhere = keeping.url(other.name)
      await expect(ask({ ...pooled(), DATABASE_LISTEN_URL: elsewhere })).rejects.toThrow(
        'DATABASE_LISTEN_URL: another database than that of DATABASE_URL',
      )
      const nowhere = 'postgresql://monitor@127.0.0.1:1/monitor'
      await expect(ask({ ...pooled(), DATABASE_LISTEN_URL: nowhere })).rejects.toThrow(
        'DATABASE_LISTEN_URL: nothing listens there',
      )
    })

    it('a restore, and not a listener of the same database', async () => {
      const right = { ...pooled(), DATABASE_LISTEN_URL: keeping.url(store.name) }
      expect(await ask(right)).toEqual({ kind: 'external', databaseUrl: lent })
      await expect(ask(right, ['restore', '/no/such/file'])).rejects.toThrow(
        'name the server itself in DATABASE_URL, and unset DATABASE_POOLER',
      )
    })
  },
)
