import { Readable } from 'node:stream'
import pino from 'pino'
import { request } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { revokeToken } from '../../src/products/tokens/revoke-token.ts'
import { setClosed, setPlan } from '../../src/workspace/workspaces.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { call, endBoth, startTestHttp, type TestHttp } from '../support/http.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { readAs } from '../support/read-as.ts'
import { NewDestination } from '../../src/contract/alerts/shapes.ts'
import { tester } from '../support/actors.ts'

let database: TestDatabase
let http: TestHttp
let acme: TestWorkspace
const lines: string[] = []

const path = '/api/v1/alert-destinations'
const url = 'https://alerts.acme.example/hook?key=very-private'
const webhook = { kind: 'webhook', name: 'On call', url, events: ['incident.opened'] }
const body = JSON.stringify(webhook)

beforeAll(async () => {
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  database = await createTestDatabase()
  http = await startTestHttp({ database, now: () => testNow, log })
  ;[acme] = await createScene(database.db)
})
afterAll(() => endBoth(http, database))

/** A workspace without destinations, at the start of its token's hour. */
async function newWorkspace(): Promise<TestWorkspace> {
  await database.pool.query('delete from alert_destination')
  await database.pool.query('delete from token_use')
  return acme
}

const post = (token: string, text: string = body) =>
  call(http.url + path, { method: 'POST', token, body: text })

async function stored(): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    'select count(*)::int as count from alert_destination',
  )
  return rows[0]?.count ?? Number.NaN
}

test('of sixty requests at once at the limit exactly fifty destinations are stored', async () => {
  const { workspaceToken: token } = await newWorkspace()
  const answers = await Promise.all(Array.from({ length: 60 }, () => post(token)))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(50)
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(10)
  expect(await stored()).toBe(50)
})

test('when the database refuses in the middle, the answer is 500 and nothing is half stored', async () => {
  const { workspaceToken: token } = await newWorkspace()
  await database.pool.query(`
    create function fail_destinations() returns trigger language plpgsql as $$ begin
      if new.action like 'destination.%' then raise exception 'the disk is full' using errcode = '53100'; end if;
      return new; end $$;
    create trigger fail_destinations before insert on audit_event for each row execute function fail_destinations()`)
  try {
    const answer = await post(token)
    expect(answer).toMatchObject({ status: 500, body: { error: 'internal' } })
    expect(JSON.stringify(answer.body)).not.toContain('disk')
    expect(await stored()).toBe(0)
  } finally {
    await database.pool.query(
      'drop trigger fail_destinations on audit_event; drop function fail_destinations',
    )
  }
  expect(await post(token)).toMatchObject({ status: 201 })
})

/** A POST whose body ends only after `meanwhile`, which runs once the token has been accepted. */
async function postWhile(
  token: string,
  meanwhile: () => Promise<unknown>,
): Promise<{ status: number; body: unknown }> {
  const half = new Readable({ read: () => undefined })
  half.push(body.slice(0, 20))
  const sent = request(http.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: half,
  })
  for (;;) {
    const { rows } = await database.pool.query('select from token_use')
    if (rows.length > 0) break
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await meanwhile()
  half.push(body.slice(20))
  half.push(null)
  const { statusCode: status, body: answer } = await sent
  return { status, body: await answer.json() }
}

test('a workspace that is closed or loses its plan while the body arrives stores nothing', async () => {
  const { id: workspaceId, workspaceToken: token } = await newWorkspace()
  const act = { workspaceId, actor: tester, now: testNow }
  expect(await postWhile(token, () => setClosed(database.db, { ...act, closedAt: testNow }))).toMatchObject({
    status: 402,
    body: { error: 'billing_lapsed' },
  })
  await setClosed(database.db, { ...act, closedAt: null })
  await newWorkspace()
  expect(await postWhile(token, () => setPlan(database.db, { ...act, plan: 'starter' }))).toMatchObject({
    status: 403,
    body: { error: 'plan_required' },
  })
  await setPlan(database.db, { ...act, plan: 'core' })
  expect(await stored()).toBe(0)
})

test('neither logs nor refusals hold a URL, a secret or a token', async () => {
  const { workspaceToken: token } = await newWorkspace()
  const added = await post(token)
  const { secret = '' } = readAs(NewDestination, added.body)
  const privately = 'https://user:very-private@alerts.acme.example/very-private'
  const refusals = [
    await post(token, JSON.stringify({ ...webhook, url: privately })),
    await post(token, JSON.stringify({ ...webhook, url: 'https://127.0.0.1/very-private' })),
    await post(token, JSON.stringify({ ...webhook, kind: 'chat_a', url })),
    await post(token, `{"url": "${url}"`),
    await call(`${http.url}${path}/${secret}`, { method: 'DELETE', token }),
    await call(http.url + path, { token: secret }),
  ]
  for (const { status, body: answer } of refusals) {
    expect(status).toBeGreaterThanOrEqual(400)
    expect(JSON.stringify(answer)).not.toContain('very-private')
  }
  expect(lines.length).toBeGreaterThan(6)
  const written = lines.join('')
  for (const hidden of ['very-private', secret, token]) expect(written).not.toContain(hidden)
})

test('a token that is revoked while the body arrives stores nothing', async () => {
  const { id: workspaceId, workspaceToken: token } = await newWorkspace()
  const { rows } = await database.pool.query<{ id: string }>(
    `select id from token where workspace_id = $1 and name = 'ops'`,
    [workspaceId],
  )
  const tokenId = rows[0]?.id ?? ''
  const answer = await postWhile(token, () =>
    revokeToken(database.db, { workspaceId, tokenId, actor: tester, now: testNow }),
  )
  expect(answer).toMatchObject({ status: 401, body: { error: 'unauthorized' } })
  expect(await stored()).toBe(0)
})
