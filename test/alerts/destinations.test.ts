import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKeyRing, newKeyText, parseKeys } from '../../src/platform/sealing/key-ring.ts'
import { createSealing } from '../../src/platform/sealing/sealing.ts'
import { setClosed, setPlan } from '../../src/workspace/workspaces.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { type Answer, call, endBoth, startTestHttp, type TestHttp } from '../support/http.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { anyText } from '../support/expected.ts'
import { fieldOf, readAs, refusalIn } from '../support/read-as.ts'
import { NewDestination } from '../../src/contract/alerts/shapes.ts'
import { tester } from '../support/actors.ts'

let database: TestDatabase
let http: TestHttp
let acme: TestWorkspace
let umbrella: TestWorkspace
let now = testNow

beforeAll(async () => {
  database = await createTestDatabase()
  http = await startTestHttp({ database, now: () => now })
  ;[acme, umbrella] = await createScene(database.db)
})
afterAll(() => endBoth(http, database))

const path = '/api/v1/alert-destinations'
const webhook = {
  kind: 'webhook',
  name: '  On call ',
  url: 'https://alerts.acme.example:8443/hook?key=1',
  events: ['incident.opened', 'incident.opened', 'report.received'],
}

/** Counts every request of a table: the window moves on. */
function ask(
  method: 'GET' | 'POST' | 'DELETE',
  on: string,
  body?: unknown,
  token = acme.workspaceToken,
): Promise<Answer> {
  now = new Date(now.getTime() + 61_000)
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return call(http.url + on, { method, token, ...(body === undefined ? {} : { body: text }) })
}

async function onPlan(
  plan: 'trial' | 'starter' | 'core' | 'plus' | 'free' | 'closed',
  run: () => Promise<void>,
): Promise<void> {
  const act = { workspaceId: acme.id, actor: tester, now }
  if (plan === 'closed') await setClosed(database.db, { ...act, closedAt: now })
  else await setPlan(database.db, { ...act, plan })
  try {
    await run()
  } finally {
    await setClosed(database.db, { ...act, closedAt: null })
    await setPlan(database.db, { ...act, plan: 'core' })
  }
}

test('a destination is added, listed without its URL, and removed', async () => {
  const added = await ask('POST', path, webhook)
  expect(added).toMatchObject({
    status: 201,
    body: {
      kind: 'webhook',
      name: 'On call',
      host: 'alerts.acme.example',
      events: ['incident.opened', 'report.received'],
      enabled: true,
      lastDeliveryAt: null,
      lastError: null,
    },
  })
  const { id, secret, ...shown } = readAs(NewDestination, added.body)
  expect(secret).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/)
  expect(id).toMatch(/^[0-9a-f-]{36}$/)

  const again = await ask('POST', path, webhook)
  expect(readAs(NewDestination, again.body).id).not.toBe(id)
  const listed = await ask('GET', path)
  expect(listed.status).toBe(200)
  expect(fieldOf(listed.body, 'destinations')).toEqual([
    { id, ...shown },
    expect.objectContaining({ id: readAs(NewDestination, again.body).id }),
  ])
  expect(JSON.stringify(listed.body)).not.toMatch(/whsec_|key=1/)
  expect((await ask('GET', path, undefined, umbrella.workspaceToken)).body).toEqual({ destinations: [] })

  expect(await ask('DELETE', `${path}/${id}`, undefined, umbrella.workspaceToken)).toMatchObject({
    status: 404,
  })
  expect(await ask('DELETE', `${path}/${id}`)).toMatchObject({ status: 204, body: '' })
  expect(await ask('DELETE', `${path}/${id}`)).toMatchObject({ status: 404, body: { error: 'not_found' } })
  const stored = await database.pool.query('select * from alert_destination')
  expect(JSON.stringify(stored.rows)).not.toMatch(/key=1|whsec_/)
})

test('adding and removing are in the audit trail under the name of the token, listing is not', async () => {
  const { rows } = await database.pool.query(
    `select distinct action, actor_kind, actor_name from audit_event where action like 'destination.%' order by action`,
  )
  expect(rows).toEqual([
    { action: 'destination.added', actor_kind: 'token', actor_name: 'ops' },
    { action: 'destination.removed', actor_kind: 'token', actor_name: 'ops' },
  ])
})

test('a host whose Punycode cannot be read is refused', async () => {
  const answer = await ask('POST', path, { ...webhook, url: 'https://xn--a.example/hook' })
  expect(answer).toMatchObject({
    status: 400,
    body: { error: 'invalid_request', fields: { url: anyText } },
  })
})

test('chats have no secret', async () => {
  const slack = { ...webhook, kind: 'chat_a', url: 'https://hooks.slack.com/services/T0/B0/x' }
  const added = await ask('POST', path, slack)
  expect(added).toMatchObject({ status: 201, body: { kind: 'chat_a', host: 'hooks.slack.com' } })
  expect(added.body).not.toHaveProperty('secret')
})

const idsOfNothing: [name: string, id: string][] = [
  ['no UUID', 'not-an-id'],
  ['NUL', '%00'],
  ['NUL within', 'a%00b'],
  ['a percent sign alone', '%'],
  ['no hexadecimal digits', '%zz'],
  ['bytes that are no UTF-8', '%C3%28'],
  ['a UUID of nothing', '0190d3a8-0000-7000-8000-000000000001'],
  ['a digit of another script', '%D9%A3'],
  ['5 000 characters', 'x'.repeat(5_000)],
]
test.each([...idsOfNothing, ['empty', ''], ['dots', '%2e%2e']])(
  'an id that names nothing is not found: %s',
  async (_name, id) => {
    expect(await ask('DELETE', `${path}/${id}`)).toMatchObject({ status: 404, body: { error: 'not_found' } })
  },
)

test.each(idsOfNothing)('the id comes after the token, its limit and the state: %s', async (_name, id) => {
  const on = `${path}/${id}`
  expect(await ask('DELETE', on, undefined, 'x')).toMatchObject({ status: 401 })
  await onPlan('free', async () => {
    expect(await ask('DELETE', on)).toMatchObject({ status: 402, body: { error: 'billing_lapsed' } })
  })
  const { rows } = await database.pool.query<{ last_used_at: Date }>(
    'select max(last_used_at) as last_used_at from token_use',
  )
  expect(rows[0]?.last_used_at).toEqual(now)
})

describe('bodies that are refused', () => {
  const allFields = ['events', 'kind', 'name', 'url']
  const cases: [name: string, body: unknown, fields: string[]][] = [
    ['nothing in it', {}, allFields],
    ['an array', [], allFields],
    ['null', null, allFields],
    ['a number', 7, allFields],
    ['wrong types', { kind: 1, name: 2, url: 3, events: 'incident.opened' }, allFields],
    ['an unknown kind', { ...webhook, kind: 'mail' }, ['kind']],
    ['a blank name', { ...webhook, name: '   ' }, ['name']],
    ['81 characters', { ...webhook, name: 'n'.repeat(81) }, ['name']],
    ['a name with NUL', { ...webhook, name: 'a\0b' }, ['name']],
    ['half a character', { ...webhook, name: '\ud800' }, ['name']],
    ['no event', { ...webhook, events: [] }, ['events']],
    ['an unknown event', { ...webhook, events: ['test'] }, ['events']],
    ['two things', { ...webhook, url: 'http://a.example/', events: [1] }, ['events', 'url']],
  ]
  test.each(cases)('%s', async (_name, body, fields) => {
    const answer = await ask('POST', path, body)
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect(Object.keys(refusalIn(answer.body).fields).sort()).toEqual(fields)
  })

  test('emoji of several parts and joined letters are ordinary text', async () => {
    const name = '👩🏽\u200D💻 می\u200Cخواهم'
    expect(await ask('POST', path, { ...webhook, name })).toMatchObject({ status: 201, body: { name } })
  })

  test('80 emoji are a name of 80 characters', async () => {
    expect(await ask('POST', path, { ...webhook, name: '😀'.repeat(80) })).toMatchObject({ status: 201 })
  })

  test('what is not JSON', async () => {
    for (const [body, detail] of [
      ['', 'line 1, column 1: expected a value, found the end of the body'],
      ['x', 'line 1, column 1: expected a value, found "x"'],
      ['{"a":1}}', 'line 1, column 8: expected the end of the document, found "}"'],
      ['['.repeat(16_384), 'the text is nested too deeply to say where'],
    ] as const) {
      expect(await ask('POST', path, body)).toMatchObject({
        status: 400,
        body: { error: 'invalid_json', detail },
      })
    }
  })

  test('more than 16 384 characters, whatever they take as bytes', async () => {
    const filled = (characters: number) => {
      const frame = JSON.stringify({ ...webhook, filler: '' }).length
      return JSON.stringify({ ...webhook, filler: '😀'.repeat(characters - frame) })
    }
    expect(await ask('POST', path, filled(16_384))).toMatchObject({ status: 201 })
    for (const body of [filled(16_385), ' '.repeat(100_000)]) {
      expect(await ask('POST', path, body)).toMatchObject({
        status: 413,
        body: { error: 'too_large', detail: 'more than 16384 characters' },
      })
    }
  })
})

test.each(['text/plain', 'application/x-www-form-urlencoded', 'no type at all', undefined])(
  'the Content-Type is not judged: %s',
  async (type) => {
    now = new Date(now.getTime() + 61_000)
    const headers = type === undefined ? {} : { 'content-type': type }
    const asked = {
      method: 'POST',
      token: acme.workspaceToken,
      body: JSON.stringify(webhook),
      headers,
    } as const
    expect(await call(http.url + path, asked)).toMatchObject({ status: 201 })
  },
)

test('fields that are not listed are ignored', async () => {
  const more = { id: 'x', enabled: false, secret: 'whsec_x', lastError: 'x', host: 'b.example', any: [1] }
  expect(await ask('POST', path, { ...webhook, ...more })).toMatchObject({
    status: 201,
    body: { enabled: true, host: 'alerts.acme.example', lastError: null },
  })
})

describe('by the state of the workspace', () => {
  const tooLong = 'x'.repeat(20_000)

  test.each(['trial', 'core', 'plus'] as const)('%s lists, adds and removes', async (plan) => {
    await onPlan(plan, async () => {
      const added = await ask('POST', path, webhook)
      expect(added).toMatchObject({ status: 201 })
      expect(await ask('GET', path)).toMatchObject({ status: 200 })
      const { id } = readAs(NewDestination, added.body)
      expect(await ask('DELETE', `${path}/${id}`)).toMatchObject({ status: 204 })
    })
  })

  test('Starter lists and removes but adds nothing, whatever the body', async () => {
    const { id } = readAs(NewDestination, (await ask('POST', path, webhook)).body)
    await onPlan('starter', async () => {
      expect(await ask('POST', path, tooLong)).toMatchObject({
        status: 403,
        body: { error: 'plan_required' },
      })
      expect(await ask('GET', path)).toMatchObject({ status: 200 })
      expect(await ask('DELETE', `${path}/${id}`)).toMatchObject({ status: 204 })
    })
  })

  test.each(['free', 'closed'] as const)('%s lists only', async (plan) => {
    await onPlan(plan, async () => {
      const refused = { status: 402, body: { error: 'billing_lapsed' } }
      expect(await ask('POST', path, tooLong)).toMatchObject(refused)
      expect(await ask('DELETE', `${path}/x`)).toMatchObject(refused)
      expect(await ask('GET', path)).toMatchObject({ status: 200 })
    })
  })
})

test('only workspace tokens are let in', async () => {
  for (const token of [acme.families[0]?.upload, acme.families[0]?.results, `svc_${'x'.repeat(43)}`]) {
    const answer = await ask('GET', path, undefined, token)
    expect(answer).toMatchObject({ status: 401, body: { error: 'unauthorized' } })
    expect(answer.headers['www-authenticate']).toContain('Bearer')
  }
})

test('sixty requests an hour over all three, each noted as the last use', async () => {
  const fixed = new Date(now.getTime() + 7_200_000)
  now = fixed
  const token = umbrella.workspaceToken
  for (let request = 0; request < 60; request += 1) {
    const answer = await call(http.url + path, { token })
    expect(answer.status).toBe(200)
  }
  now = new Date(fixed.getTime() + 1_000)
  const refused = await call(`${http.url}${path}/x`, { method: 'DELETE', token })
  expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '3599' } })
  const { rows } = await database.pool.query<{ last_used_at: Date }>(
    'select max(last_used_at) as last_used_at from token_use',
  )
  expect(rows[0]?.last_used_at).toEqual(now)
})

test('other methods are answered 405 with Allow', async () => {
  const answer = await call(http.url + path, { method: 'PUT', token: acme.workspaceToken, body: '{}' })
  expect(answer).toMatchObject({ status: 405, body: { error: 'method_not_allowed' } })
  expect(answer.headers['allow']).toContain('POST')
})

test('the 51st destination of a workspace is refused', async () => {
  for (;;) {
    const answer = await ask('POST', path, webhook)
    if (answer.status === 201) continue
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect(Object.keys(refusalIn(answer.body).fields)).toEqual(['kind'])
    break
  }
  expect(fieldOf((await ask('GET', path)).body, 'destinations')).toHaveLength(50)
})

test('under another key, or none, nothing can be stored, and everything is listed', async () => {
  const otherKey = createSealing(createKeyRing(parseKeys(newKeyText())))
  for (const sealing of [otherKey, createSealing(null)]) {
    const other = await startTestHttp({ database, now: () => now, sealing })
    now = new Date(now.getTime() + 3_600_000)
    const token = acme.workspaceToken
    const body = JSON.stringify(webhook)
    expect(await call(other.url + path, { method: 'POST', token, body })).toMatchObject({
      status: 503,
      body: { error: 'not_configured' },
    })
    expect(fieldOf((await call(other.url + path, { token })).body, 'destinations')).toHaveLength(50)
    await other.stop()
  }
})
