import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createStoreProbe } from '../../src/platform/readiness.ts'
import { migrate } from '../../src/schema/migrate.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { drain } from '../support/drain.ts'
import { call, startTestHttp, type TestHttp } from '../support/http.ts'
import { sampleSbom } from '../support/sample-sbom.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { checkoutDir } from '../support/test-server.ts'

const migrations = join(checkoutDir, 'database/migrations')
/** Earlier steps assumed that the service is stopped during an upgrade. */
const firstAdditive = 30

/** Changes that would break a running process of the previous release (docs/operating.md, "Upgrades"). */
const breaking: [string, RegExp][] = [
  ['drops a table', /\bdrop\s+table\b/i],
  ['drops a column', /\bdrop\s+column\b/i],
  ['renames', /\brename\s+(to|column)\b/i],
  ['changes a type', /\balter\s+column\s+\w+\s+(set\s+data\s+)?type\b/i],
  ['requires what was not written before', /\bset\s+not\s+null\b/i],
  [
    'adds a column that must be written',
    /\badd\s+column\s+(?:(?!default)[^,;])*\bnot\s+null\b(?:(?!default)[^,;])*[,;]/i,
  ],
]

const problemsOf = (text: string) =>
  breaking.filter(([, pattern]) => pattern.test(text)).map(([name]) => name)

it('the steps of the schema only add', async () => {
  const files = (await readdir(migrations)).filter((name) => Number(name.slice(0, 4)) >= firstAdditive)
  expect(files.length).toBeGreaterThan(0)
  const found = await Promise.all(
    files.map(async (name) => [name, problemsOf(await readFile(join(migrations, name), 'utf8'))] as const),
  )
  expect(found.filter(([, problems]) => problems.length > 0)).toEqual([])
})

it.each([
  ['alter table a drop column b;', ['drops a column']],
  ['drop table a;', ['drops a table']],
  ['alter table a rename to b;', ['renames']],
  ['alter table a alter column b type bigint;', ['changes a type']],
  ['alter table a alter column b set not null;', ['requires what was not written before']],
  ['alter table a add column b text not null;', ['adds a column that must be written']],
  ["alter table a add column b text not null default '';", []],
  ['alter table a add column b text, add column c int;', []],
])('%s', (text, problems) => {
  expect(problemsOf(text)).toEqual(problems)
})

let database: TestDatabase
let http: TestHttp
let acme: TestWorkspace
let folder: string
beforeAll(async () => {
  database = await createTestDatabase()
  ;[acme] = await createScene(database.db)
  http = await startTestHttp({ database, now: () => testNow })
  folder = await mkdtemp(join(tmpdir(), 'migrations-'))
})
afterAll(async () => {
  await http.stop()
  await database.drop()
  await rm(folder, { recursive: true })
})

it('a process that runs stays ready and goes on while a newer release has added to the schema', async () => {
  const send = (serial: number) =>
    call(`${http.url}/api/v1/sboms`, {
      method: 'POST',
      token: acme.families[0]?.upload ?? '',
      body: sampleSbom({ components: 5, serial }),
    })
  expect((await send(1)).status).toBe(202)
  await cp(migrations, folder, { recursive: true })
  const { length: version } = await readdir(folder)
  const next = `${String(version + 1).padStart(4, '0')}_next_release.sql`
  await writeFile(
    join(folder, next),
    'create table next_release (id uuid primary key);\nalter table sbom add column next_release text;\nalter table workspace add column next_release boolean not null default false;\n',
  )
  const busy = Promise.all([2, 3, 4, 5].map(send))
  const { applied } = await migrate(database.connection, folder)
  expect(applied).toHaveLength(1)
  expect((await busy).map(({ status }) => status)).toEqual([202, 202, 202, 202])
  expect((await send(6)).status).toBe(202)
  await drain(database.db, testNow)
  const { rows } = await database.pool.query<{ status: string }>('select distinct status from sbom')
  expect(rows).toEqual([{ status: 'matched' }])
  const probe = createStoreProbe({ db: database.db, log: pino({ level: 'silent' }), version })
  expect(await probe()).toEqual({ store: true, writable: true })
  await expect(migrate(database.connection, migrations)).rejects.toMatchObject({ code: 'database_newer' })
})

it('a step that waits for a long reader, such as a backup, holds nobody up for long, and is applied once it has ended', async () => {
  const [reader, visitor] = [new pg.Client(database.direct), new pg.Client(database.direct)]
  await Promise.all([reader.connect(), visitor.connect()])
  const { length: version } = await readdir(folder)
  const next = `${String(version + 1).padStart(4, '0')}_later_release.sql`
  await writeFile(join(folder, next), 'alter table sbom add column later_release text;\n')
  const { rows: own } = await reader.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  await reader.query("SET application_name = 'nightly dump'; BEGIN; SELECT FROM sbom LIMIT 1")
  const told: string[] = []
  const holders: string[] = []
  const onWait = (step: string, heldBy: readonly string[]) => {
    told.push(step)
    holders.push(...heldBy)
  }
  const migrating = migrate(database.connection, folder, { onWait })
  const waits: number[] = []
  const until = performance.now() + 8_000
  while (performance.now() < until) {
    const asked = performance.now()
    await visitor.query('SELECT FROM sbom LIMIT 1')
    waits.push(performance.now() - asked)
    await sleep(20)
  }
  expect(Math.max(...waits)).toBeLessThan(3_000)
  await reader.query('COMMIT')
  expect((await migrating).applied).toEqual(told)
  expect(told).toHaveLength(1)
  expect(holders).toEqual([
    expect.stringMatching(new RegExp(`^session ${own[0]?.pid} \\(nightly dump, role `)),
  ])
  await Promise.all([reader.end(), visitor.end()])
})

it('a table of steps that somebody has locked, and another process that changes the schema, are waited for in words, until told to stop', async () => {
  const other = new pg.Client({ ...database.direct, application_name: 'somebody else' })
  await other.connect()
  const told: string[] = []
  const waits = {
    onWait: (step: string, heldBy: readonly string[]) => void told.push(step, ...heldBy),
    onQueue: (heldBy: readonly string[]) => void told.push('queue', ...heldBy),
  }
  const named: unknown = expect.stringContaining('(somebody else, role ')
  for (const [lock, expected] of [
    ['LOCK TABLE schema_migration', 'schema_migration'],
    ['SELECT pg_advisory_xact_lock(5021377404)', 'queue'],
  ] as const) {
    told.length = 0
    await other.query(`BEGIN; ${lock}`)
    const migrating = migrate(database.connection, folder, waits)
    await vi.waitFor(() => expect(told).toEqual([expected, named]), { timeout: 10_000 })
    const stopping = new AbortController()
    const stopped = migrate(database.connection, folder, {
      onWait: () => stopping.abort(),
      onQueue: () => stopping.abort(),
      stopping: stopping.signal,
    })
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' })
    await other.query('COMMIT')
    expect((await migrating).applied).toEqual([])
  }
  await other.end()
})
