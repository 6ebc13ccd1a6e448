import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFamily } from '../../src/contract/products/operations.ts'
import { newKeyText } from '../../src/platform/sealing/key-ring.ts'
import { AppSession } from '../support/app-session.ts'
import { runCommand } from '../support/command.ts'
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts'
import { enqueueJob } from '../support/enqueue-job.ts'
import { call, startTestHttp, type Answer, type TestHttp } from '../support/http.ts'
import { sampleSbom } from '../support/sample-sbom.ts'
import { sampleVex } from '../support/sample-vex.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { runCli } from '../support/service.ts'
import { testNow } from '../support/clock.ts'
import { textWith, listWith, objectWith } from '../support/expected.ts'
import { fieldOf, namesIn, objectIn, refusalIn } from '../support/read-as.ts'

let database: TestDatabase
let http: TestHttp
let acme: TestWorkspace
let umbrella: TestWorkspace
let folder: string
let env: Record<string, string | undefined>

const key = newKeyText()
const secrets = {
  ENCRYPTION_KEYS: key,
  METRICS_TOKEN: 'a-metrics-token-that-is-secret',
  SMTP_URL: 'smtps://postman:s3cret-of-the-postman@mail.example:465',
  MAIL_FROM: 'alerts@monitor.example',
  STRIPE_SECRET_KEY: 'sk_live_key-of-the-shop',
  STRIPE_WEBHOOK_SECRET: 'whsec_of-the-shop',
  STRIPE_PRICE_CORE: 'price_core',
  KEV_URL: 'https://reader:p4ss-of-the-mirror@mirror.example/kev.json?key=query-of-the-mirror',
}

beforeAll(async () => {
  database = await createTestDatabase()
  ;[acme, umbrella] = await createScene(database.db)
  http = await startTestHttp({ database, now: () => testNow })
  // these commands use the database's own key
  await database.db.deleteFrom('sealing_canary').execute()
  folder = await mkdtemp(join(tmpdir(), 'operation-'))
  env = { ...process.env, DATABASE_URL: database.url, BASE_URL: 'http://localhost:3000', ...secrets }
})
afterAll(async () => {
  await http.stop()
  await database.drop()
  await rm(folder, { recursive: true })
})

const cli = <T>(...args: string[]) => runCommand<T>(env, args)
const codeOf = ({ status, body }: Answer) => [status, fieldOf(body, 'error') ?? null]
const messageOf = ({ body }: Answer) => refusalIn(body).message

const send = (token: string | undefined, serial: number) =>
  call(`${http.url}/api/v1/sboms`, {
    method: 'POST',
    token: token ?? '',
    body: sampleSbom({ components: 3, serial }),
  })

describe('ceilings of a workspace', () => {
  const limit = (...args: string[]) => cli<{ ceilings: unknown }>('workspace', 'limit', 'acme', ...args)

  it('of SBOMs: the next one is refused and says why; a file that is there is a duplicate; the neighbour is free', async () => {
    const [pump, valve] = acme.families
    expect((await limit('--sboms', '2')).ceilings).toEqual({
      families: null,
      sboms: 2,
      bytes: null,
      files: null,
    })
    expect((await send(pump?.upload, 1)).status).toBe(202)
    const pair = await Promise.all([send(pump?.upload, 2), send(valve?.upload, 3)])
    expect(pair.map(({ status }) => status).sort()).toEqual([202, 402])
    const [refused] = pair.filter(({ status }) => status === 402)
    expect(refused === undefined ? '' : messageOf(refused)).toBe(
      'The operator of this service lets this workspace hold 2 SBOMs at most. Remove what is no longer needed, or ask the operator for more.',
    )
    expect(codeOf(await send(pump?.upload, 4))).toEqual([402, 'billing_lapsed'])
    expect((await send(pump?.upload, 1)).status).toBe(200)
    expect((await send(umbrella.families[0]?.upload, 4)).status).toBe(202)
    expect((await limit('--sboms', 'none')).ceilings).toEqual({
      families: null,
      sboms: null,
      bytes: null,
      files: null,
    })
    expect((await send(pump?.upload, 4)).status).toBe(202)
  })

  it('of bytes: SBOMs and VEX documents count together', async () => {
    const { rows } = await database.pool.query<{ bytes: string }>(
      'select sum(size_bytes)::int as bytes from sbom where workspace_id = $1',
      [acme.id],
    )
    await limit('--bytes', String(Number(rows[0]?.bytes) + 10))
    const vex = await call(`${http.url}/api/v1/vex`, {
      method: 'POST',
      token: acme.families[0]?.upload ?? '',
      body: sampleVex(1),
    })
    expect(codeOf(vex)).toEqual([402, 'billing_lapsed'])
    expect(messageOf(vex)).toContain('bytes of documents at most')
    expect(codeOf(await send(acme.families[0]?.upload, 9))).toEqual([402, 'billing_lapsed'])
    await limit('--bytes', 'none')
    expect((await send(acme.families[0]?.upload, 9)).status).toBe(202)
  })

  it('of product families', async () => {
    const owner = await AppSession.signIn(http.url, acme.members.owner)
    const add = (name: string) => owner.ask(createFamily, { body: { name } })
    await limit('--families', '3')
    const made = await Promise.all(['One', 'Two', 'Three'].map(add))
    expect(made.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect(made.filter(({ status }) => status === 409).map(messageOf)).toEqual(
      [1, 2].map(() => textWith('hold 3 product families at most')),
    )
    await limit('--families', 'none')
    expect((await add('Four')).status).toBe(201)
  })

  it('are in the audit trail, and asked for in words that can be read', async () => {
    const { rows } = await database.pool.query<{ after: unknown }>(
      `select after from audit_event where action = 'workspace.ceilings_changed' and workspace_id = $1 order by id`,
      [acme.id],
    )
    expect(rows).toHaveLength(6)
    expect(rows[0]).toEqual({ after: { families: null, sboms: 2, bytes: null, files: null } })
    await expect(limit('--sboms', 'many')).rejects.toThrow('--sboms: expected a whole number')
    await expect(cli('workspace', 'limit', 'nobody', '--sboms', '1')).rejects.toThrow(
      'there is no workspace "nobody"',
    )
    await expect(limit('--sbom', '1')).rejects.toThrow("Unknown option '--sbom'")
  })
})

it('a suspended workspace is read-only and says by whom, on its next request, until that is lifted', async () => {
  const pump = umbrella.families[0]?.upload
  const suspended = { slug: 'umbrella', suspended: true }
  expect(await cli('workspace', 'suspend', 'umbrella', '--reason', 'Unpaid since May')).toEqual(suspended)
  await cli('workspace', 'suspend', 'umbrella')
  const refused = await send(pump, 20)
  expect(codeOf(refused)).toEqual([402, 'billing_lapsed'])
  expect(messageOf(refused)).toBe(
    'The workspace is read-only because the operator of this service has suspended it. Only the operator can lift that.',
  )
  expect((await send(acme.families[0]?.upload, 20)).status).toBe(202)
  const listed = await cli<{ workspaces: { slug: string; state: string; plan: string }[] }>('workspaces')
  expect(listed.workspaces[1]).toMatchObject({ slug: 'umbrella', state: 'suspended', plan: 'core' })
  // a paid plan does not lift it
  await cli('workspace', 'plan', 'umbrella', 'plus')
  expect(codeOf(await send(pump, 20))).toEqual([402, 'billing_lapsed'])
  await cli('workspace', 'plan', 'umbrella', 'core')
  await cli('workspace', 'lift', 'umbrella')
  expect((await send(pump, 4)).status).toBe(200)
  const { rows } = await database.pool.query<{ action: string; after: unknown }>(
    `select action, after from audit_event where workspace_id = $1 and action like 'workspace.suspen%' order by id`,
    [umbrella.id],
  )
  expect(rows).toEqual([
    { action: 'workspace.suspended', after: { reason: 'Unpaid since May' } },
    { action: 'workspace.suspension_lifted', after: null },
  ])
})

it('the reason of a suspension is a line that can be read, as on the pages for operators', async () => {
  const suspend = (reason: string) => cli('workspace', 'suspend', 'acme', '--reason', reason)
  await expect(suspend('x'.repeat(301))).rejects.toThrow('--reason: At most 300 characters.')
  await expect(suspend('two\nlines')).rejects.toThrow('--reason: ')
})

it('a backup and its restoring tell originals in the object store from those given up as lost', async () => {
  const insertObject = (state: 'kept' | 'lost') =>
    database.pool.query(
      `insert into original_object (id, workspace_id, sha256, sealed_sha256, sealed_bytes, key_id, state)
       values (gen_random_uuid(), $1, sha256('x'), sha256('y'), 8, 1, $2)`,
      [acme.id, state],
    )
  for (const state of ['kept', 'kept', 'lost'] as const) await insertObject(state)
  const file = join(folder, 'objects.backup')
  const counted = { tables: { original_object: 3 }, objectsApart: 2, objectsLost: 1 }
  expect(await cli('backup', file)).toMatchObject(counted)
  const target = await createEmptyDatabase()
  try {
    const there = { ...env, DATABASE_URL: target.directUrl }
    expect(await runCommand(there, ['restore', file])).toMatchObject(counted)
  } finally {
    await target.drop()
    await database.pool.query('delete from original_object')
  }
})

it.each([['backup'], ['restore'], ['diagnose'], ['vulnerabilities', 'import']])(
  'an empty word, as of a variable that is not set, is no file: %s %s',
  async (...words) => {
    await expect(cli(...words, '')).rejects.toThrow(/^expected a /)
  },
)

it('a plan is set with an end to come, and reopens a workspace that it has closed', async () => {
  const plan = (...words: string[]) => cli('workspace', 'plan', 'umbrella', ...words)
  expect(await plan('plus', '--until', '2127-01-31')).toEqual({
    slug: 'umbrella',
    plan: 'plus',
    until: '2127-01-31T23:59:59.999Z',
  })
  await expect(plan('core', '--until', '2020-01-31')).rejects.toThrow('--until: expected a time to come')
  await expect(plan('core', '--until', '')).rejects.toThrow('--until: expected a day')
  await expect(plan('core', '--until', 'May')).rejects.toThrow('--until: expected a day')
  await expect(plan('closed', '--until', '2127-01-31')).rejects.toThrow('--until: "closed" has no end')
  await expect(plan('gold')).rejects.toThrow('expected one of trial, starter, core, plus, free, closed')
  await plan('closed')
  expect(await plan('core')).toEqual({ slug: 'umbrella', plan: 'core' })
  const { rows } = await database.pool.query<{ action: string }>(
    `select action from audit_event where workspace_id = $1 order by id desc limit 3`,
    [umbrella.id],
  )
  expect(rows.map(({ action }) => action)).toEqual([
    'workspace.plan_changed',
    'workspace.reopened',
    'workspace.closed',
  ])
})

it('workspaces are listed with what they hold and nothing that they have stored', async () => {
  await cli('workspace', 'limit', 'umbrella', '--families', '9')
  const listed = await cli<{ workspaces: Record<string, unknown>[] }>('workspaces')
  expect(listed.workspaces).toMatchObject([
    { slug: 'acme', plan: 'core', state: 'core', members: 2, families: 4, documents: 5, uploads30Days: 0 },
    {
      slug: 'umbrella',
      members: 2,
      families: 2,
      documents: 1,
      ceilings: { families: 9, sboms: null, bytes: null, files: null },
      fileBytes: 0,
    },
  ])
  const { rows } = await database.pool.query<{ bytes: number }>(
    'select sum(size_bytes)::int as bytes from sbom where workspace_id = $1',
    [umbrella.id],
  )
  expect(listed.workspaces[1]).toMatchObject({ bytes: rows[0]?.bytes })
  expect(JSON.stringify(listed)).not.toMatch(/company|Pump|@|Olga|owner/)
})

it('failed jobs are listed without what they are about, and run again when told to', async () => {
  const { db } = database
  await db.deleteFrom('job').execute()
  for (const key of ['one', 'two', 'three']) {
    await enqueueJob(db, { kind: 'refresh_source', key, payload: { source: key }, runAt: testNow })
  }
  await db
    .updateTable('job')
    .set({ state: 'failed', attempts: 1, failed_at: testNow, last_error: 'the source did not answer' })
    .execute()
  await enqueueJob(db, { kind: 'refresh_source', key: 'three', payload: { source: 'three' }, runAt: testNow })
  const { failed, jobs } = await cli<{ failed: number; jobs: { id: number }[] }>('jobs', 'failed')
  expect([failed, jobs.length]).toEqual([3, 3])
  expect(Object.keys(jobs[0] ?? {}).sort()).toEqual([
    'attempts',
    'error',
    'failedAt',
    'id',
    'kind',
    'workspace',
  ])
  const oldest = Math.min(...jobs.map(({ id }) => id))
  expect(await cli('jobs', 'retry', String(oldest))).toEqual({ waiting: 1 })
  expect(await cli('jobs', 'retry', '--kind', 'match_sbom')).toEqual({ waiting: 0 })
  expect(await cli('jobs', 'retry', '--kind', 'refresh_source')).toEqual({ waiting: 1 })
  const states = await db.selectFrom('job').select(['key', 'state', 'attempts']).orderBy('key').execute()
  expect(states).toEqual(
    ['one', 'three', 'two'].map((name) => ({ key: name, state: 'waiting', attempts: 0 })),
  )
  await expect(cli('jobs', 'retry')).rejects.toThrow(
    'expected either --all, --kind with a kind, or the ids of jobs',
  )
  await expect(cli('jobs', 'retry', '--kind', 'nothing')).rejects.toThrow('expected one of match_sbom')
})

it('a job that is not there, or has not failed, is not run again, nor are those named beside it', async () => {
  const { db } = database
  await db.deleteFrom('job').execute()
  for (const key of ['failed', 'waiting'])
    await enqueueJob(db, { kind: 'refresh_source', key, payload: { source: key }, runAt: testNow })
  await db
    .updateTable('job')
    .set({ state: 'failed', attempts: 1, failed_at: testNow, last_error: 'the source did not answer' })
    .where('key', '=', 'failed')
    .execute()
  const jobs = await db.selectFrom('job').select(['key', 'id']).execute()
  const idOf = (key: string) => String(jobs.find((job) => job.key === key)?.id)
  const absent = '999999999999999'
  for (const id of [absent, idOf('waiting')]) {
    await expect(cli('jobs', 'retry', idOf('failed'), id)).rejects.toThrow(
      `no failed job has the id ${id}; "jobs failed" lists those there are, and nothing was changed`,
    )
  }
  const failed = await db.selectFrom('job').select('key').where('state', '=', 'failed').execute()
  expect(failed).toEqual([{ key: 'failed' }])
  await db.deleteFrom('job').execute()
})

it('the key and the sources say how they are', async () => {
  expect(await cli('keys', 'state')).toMatchObject({
    state: 'ready',
    from: 'ENCRYPTION_KEYS',
    unusableDestinations: 0,
  })
  const other = await runCommand<unknown>({ ...env, ENCRYPTION_KEYS: newKeyText() }, ['keys', 'state'])
  expect(other).toMatchObject({ state: 'other_key' })
  expect(JSON.stringify(other)).not.toContain(key)
  await database.pool.query(
    `insert into data_source (name, address, last_error) values ('kev', 'https://mirror.example/kev.json', 'no answer')`,
  )
  expect(await cli('sources')).toMatchObject({
    sources: listWith(
      objectWith({ name: 'kev', lastError: 'no answer', recordCount: 0 }),
      objectWith({ name: 'epss', lastAttemptAt: null, recordCount: 0 }),
    ),
  })
})

it.each([
  ['a folder that is not there', () => join(folder, 'none', 'diagnosis.json'), 'ENOENT'],
  ['a folder that is a file', () => join(import.meta.filename, 'diagnosis.json'), 'ENOTDIR'],
])('a diagnosis that cannot be written into %s says why, in words', async (_where, fileIn, code) => {
  // quiet: the role of TEST_DATABASE_URL may have rights that the log warns about
  const quiet = { ...env, LOG_LEVEL: 'error' }
  await expect(runCli(quiet, ['diagnose', fileIn()])).rejects.toThrow(
    new RegExp(`ended with 2: .*diagnosis\\.json cannot be written \\(${code}: [^\\n]*\\)\\n$`),
  )
})

it('a diagnosis is one file without a secret and without what workspaces have stored', async () => {
  const { db } = database
  await enqueueJob(db, { kind: 'refresh_source', key: 'kev', payload: { source: 'kev' }, runAt: testNow })
  await db
    .updateTable('job')
    .set({
      state: 'failed',
      last_error: `could not post to https://hooks.example/T1/path-of-the-channel with ${acme.workspaceToken}, ${secrets.STRIPE_SECRET_KEY}, ${secrets.STRIPE_WEBHOOK_SECRET} and ${'Zz'.repeat(22)}`,
    })
    .where('key', '=', 'kev')
    .execute()
  await database.pool.query(`update data_source set address = $1`, [secrets.KEV_URL])
  const file = join(folder, 'diagnosis.json')
  const url = new URL(database.url)
  const password = url.password === '' ? 'password-of-the-database' : decodeURIComponent(url.password)
  if (url.password === '') url.searchParams.set('password', password)
  const withPassword = { ...env, DATABASE_URL: url.href }
  expect(await runCli(withPassword, ['diagnose', file])).toMatchObject({ file })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const text = await readFile(file, 'utf8')
  const found = objectIn(text)
  expect(Object.values(found).filter((part) => namesIn(part).includes('unreadable'))).toEqual([])
  expect(found['keys']).toMatchObject({ state: 'ready' })
  expect(found['failedJobs']).toMatchObject([{ kind: 'refresh_source', times: 1 }])
  expect(namesIn(found['database'])).toEqual(
    expect.arrayContaining(['version', 'migrations', 'tables', 'clockAheadSeconds']),
  )
  const keyBytes = Buffer.from(key, 'base64')
  const hidden = [
    ...[
      key,
      keyBytes.toString('hex'),
      secrets.METRICS_TOKEN,
      secrets.STRIPE_SECRET_KEY,
      secrets.STRIPE_WEBHOOK_SECRET,
      's3cret-of-the-postman',
      'p4ss-of-the-mirror',
      'query-of-the-mirror',
    ],
    ...[password, 'path-of-the-channel', 'Zz'.repeat(22)],
    ...[acme, umbrella].flatMap((workspace) => [
      ...[
        workspace.workspaceToken,
        ...workspace.families.flatMap(({ upload, results }) => [upload, results]),
      ],
      ...Object.values(workspace.members).flatMap(({ email, password }) => [email, password]),
      ...[workspace.id, `"${workspace.slug}"`, `${workspace.slug} company`],
    ]),
    'Pump',
  ]
  expect(hidden.filter((secret) => text.includes(secret))).toEqual([])
  await expect(cli('diagnose', file)).rejects.toThrow('exists already')
})
