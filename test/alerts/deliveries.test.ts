import { createHmac } from 'node:crypto'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliverAll } from '../../src/alerts/deliveries/deliverer.ts'
import { selectFailingDestinations } from '../../src/alerts/deliveries/failing-destinations.ts'
import { emitEvent, enqueueEvent } from '../../src/alerts/deliveries/emit.ts'
import type { AlertFact } from '../../src/contract/alerts/events.ts'
import { operation as listDestinations } from '../../src/http/public/list-alert-destinations/operation.ts'
import { setPlan } from '../../src/workspace/workspaces.ts'
import { testNow } from '../support/clock.ts'
import { drain } from '../support/drain.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { baseUrl, call, startTestHttp, testSealing, type TestHttp } from '../support/http.ts'
import { startReceiverLab, type ReceiverLab } from '../support/receivers.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { textLike } from '../support/expected.ts'
import { fieldOf, readAs } from '../support/read-as.ts'
import { NewDestination, type Destination } from '../../src/contract/alerts/shapes.ts'
import { tester } from '../support/actors.ts'

let database: TestDatabase
let lab: ReceiverLab
let http: TestHttp
let acme: TestWorkspace
let umbrella: TestWorkspace

let now = new Date(testNow.getTime() + 60_000 + 789)

beforeAll(async () => {
  database = await createTestDatabase()
  lab = await startReceiverLab()
  http = await startTestHttp({ database, now: () => now })
  ;[acme, umbrella] = await createScene(database.db)
})
afterAll(async () => {
  await http.stop()
  lab.close()
  await database.drop()
})

const warning: AlertFact = {
  type: 'deadline.warning',
  data: {
    incident: { id: '0190d3a8-0000-7000-8000-000000000001', reference: 'INC-2026-0001', title: 'Pump <b>' },
    regime: 'cra',
    report: 'early_warning',
    dueAt: '2026-09-12T08:00:00.000Z',
  },
}

async function add(token: string, fields: Record<string, unknown>): Promise<{ id: string; secret: string }> {
  const answer = await call(`${http.url}/api/v1/alert-destinations`, {
    method: 'POST',
    token,
    body: JSON.stringify({ kind: 'webhook', name: 'ops', events: ['deadline.warning'], ...fields }),
  })
  expect(answer).toMatchObject({ status: 201 })
  const { id, secret = '' } = readAs(NewDestination, answer.body)
  return { id, secret }
}

async function list(token: string): Promise<Destination[]> {
  const { body } = await call(`${http.url}/api/v1/alert-destinations`, { token })
  return readAs(listDestinations.answers[200], body).destinations
}

async function tell(workspaceId: string, fact: AlertFact): Promise<{ eventId: string }> {
  const eventId = await database.db
    .transaction()
    .execute((tx) => enqueueEvent(tx, { workspaceId, fact, now }))
  await drain(database.db, now)
  await send()
  return { eventId }
}

async function send(): Promise<void> {
  await deliverAll({
    db: database.db,
    now: () => now,
    log: pino({ level: 'silent' }),
    outbound: lab.outbound(),
    sealing: testSealing,
    baseUrl,
    name: 'test',
  })
}

test('a webhook gets the signed event once, and nobody else does', async () => {
  const receiver = await lab.receive('hooks.acme.example')
  const { id, secret } = await add(acme.workspaceToken, { url: receiver.url })
  const other = await lab.receive('hooks.umbrella.example')
  await add(umbrella.workspaceToken, { url: other.url })
  await add(acme.workspaceToken, { url: other.url, events: ['incident.opened'] })
  const { eventId } = await tell(acme.id, warning)
  // the job may run twice
  await emitEvent(database.db, { workspaceId: acme.id, eventId, fact: warning }, now)
  await send()

  expect(other.requests).toEqual([])
  const [request, ...repeats] = receiver.requests
  expect(repeats).toEqual([])
  const body: unknown = JSON.parse(request?.body ?? '')
  expect(body).toEqual({
    id: textLike(/^evt_[0-9a-f-]{36}$/),
    type: 'deadline.warning',
    created: now.toISOString(),
    workspace: 'acme company',
    url: `${baseUrl}/app/acme/incidents/${warning.data.incident.id}`,
    data: warning.data,
  })
  expect(request?.body).toBe(JSON.stringify(body))
  const t = Math.floor(now.getTime() / 1000)
  const v1 = createHmac('sha256', secret)
    .update(`${t}.${request?.body ?? ''}`)
    .digest('hex')
  expect(request?.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'Service-Alerts/1.0',
    'service-event-id': fieldOf(body, 'id'),
    'service-signature': `t=${t},v1=${v1}`,
  })
  expect(request).toMatchObject({ method: 'POST', path: '/hook' })
  const [shown] = (await list(acme.workspaceToken)).filter((destination) => destination.id === id)
  expect(shown).toMatchObject({ lastDeliveryAt: now.toISOString(), lastError: null })
})

test('a failure is recorded with the beginning of the answer', async () => {
  const text = `<b>${'😀'.repeat(300)}`
  const receiver = await lab.receive('broken.acme.example', (_request, response) =>
    response.writeHead(500).end(text),
  )
  const { id } = await add(acme.workspaceToken, { url: receiver.url })
  await tell(acme.id, warning)
  const shown = (await list(acme.workspaceToken)).find((destination) => destination.id === id)
  expect(shown?.lastError).toBe(`HTTP 500: ${[...text].slice(0, 200).join('')}`)
  expect(receiver.requests).toHaveLength(1)
})

test('after the clock was set back the newest result counts at once, and a destination that fails is named after an hour', async () => {
  let status = 204
  const receiver = await lab.receive('later.acme.example', (_request, response) =>
    response.writeHead(status).end('no'),
  )
  const { id } = await add(acme.workspaceToken, { url: receiver.url })
  const shown = async () => (await list(acme.workspaceToken)).find((destination) => destination.id === id)
  const right = now
  const failing = async (at: Date) =>
    (await selectFailingDestinations(database.db, at)).map(({ destinations }) => destinations)
  const before = await failing(new Date(right.getTime() + 3_600_000))
  try {
    now = new Date(right.getTime() + 86_400_000)
    await tell(acme.id, warning)
    expect(await shown()).toMatchObject({ lastDeliveryAt: now.toISOString(), lastError: null })
    now = right
    status = 500
    await tell(acme.id, warning)
    expect(await shown()).toMatchObject({ lastDeliveryAt: right.toISOString(), lastError: 'HTTP 500: no' })
    const after = await failing(new Date(right.getTime() + 3_600_000))
    expect(after).toEqual(before.length === 0 ? [1] : before.map((count) => count + 1))
  } finally {
    now = right
  }
})

test('nothing is posted on Starter, and no problem is made of it', async () => {
  const receiver = await lab.receive('starter.umbrella.example')
  const { id } = await add(umbrella.workspaceToken, { url: receiver.url })
  await setPlan(database.db, {
    workspaceId: umbrella.id,
    plan: 'starter',
    actor: tester,
    now,
  })
  await tell(umbrella.id, warning)
  expect(receiver.requests).toEqual([])
  const shown = (await list(umbrella.workspaceToken)).find((destination) => destination.id === id)
  expect(shown).toMatchObject({ lastDeliveryAt: null, lastError: null })
  const kept = await database.db
    .selectFrom('alert_delivery')
    .select(['state', 'reason'])
    .where('destination_id', '=', id)
    .execute()
  expect(kept).toEqual([{ state: 'not_sent', reason: 'the plan does not include alert destinations' }])
})
