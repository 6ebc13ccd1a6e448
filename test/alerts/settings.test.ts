import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deliverAll } from '../../src/alerts/deliveries/deliverer.ts'
import { emitEvent } from '../../src/alerts/deliveries/emit.ts'
import type { BodyOf } from '../../src/contract/operation.ts'
import type { Role } from '../../src/contract/roles.ts'
import {
  addDestination,
  changeDestination,
  checkDestinationUrl,
  getDelivery,
  listDeliveries,
  listDeliveryProblems,
  listDestinations,
  removeDestination,
  renewDestinationSecret,
  testDestination,
} from '../../src/contract/alerts/operations.ts'
import { getWorkspace } from '../../src/contract/workspace/operations.ts'
import { createSealing } from '../../src/platform/sealing/sealing.ts'
import { provision } from '../../src/provision/provision.ts'
import { setPlan } from '../../src/workspace/workspaces.ts'
import { AppSession } from '../support/app-session.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { baseUrl, call, startTestHttp, testSealing, type Answer, type TestHttp } from '../support/http.ts'
import { startReceiverLab, type Receiver, type ReceiverLab } from '../support/receivers.ts'
import { anyText, textLike } from '../support/expected.ts'
import { tester } from '../support/actors.ts'

const password = 'a long enough password'
const roles: Role[] = ['owner', 'admin', 'lead', 'editor', 'viewer']

let database: TestDatabase
let lab: ReceiverLab
let receiver: Receiver
let http: TestHttp
let now = testNow
let workspaceId: string
let apiToken: string
let answerStatus = 204
const sessions = {} as Record<Role, AppSession>

beforeAll(async () => {
  database = await createTestDatabase()
  lab = await startReceiverLab()
  receiver = await lab.receive('alerts.acme.example', (_request, response) =>
    response.writeHead(answerStatus).end(answerStatus === 204 ? '' : 'no room'),
  )
  http = await startTestHttp({ database, now: () => now })
  const members = roles.map((role) => ({ email: `${role}@acme.example`, name: role, role, password }))
  const workspace = {
    slug: 'acme',
    companyName: 'Acme',
    securityContactEmail: 's@acme.example',
    plan: 'core' as const,
    members,
    tokens: [{ name: 'ops', access: 'manage_destinations' as const }],
  }
  const [made] = (await provision(database.db, { workspaces: [workspace] }, now)).workspaces
  workspaceId = made?.id ?? ''
  apiToken = made?.tokens?.[0]?.token ?? ''
  for (const role of roles) {
    sessions[role] = await AppSession.signIn(http.url, { email: `${role}@acme.example`, password })
  }
})
afterAll(async () => {
  await http.stop()
  lab.close()
  await database.drop()
})

const webhook: Omit<BodyOf<typeof addDestination>, 'url'> = {
  kind: 'webhook',
  name: 'On call',
  events: ['deadline.warning', 'incident.opened'],
}

async function add(fields: Partial<BodyOf<typeof addDestination>> = {}) {
  now = new Date(now.getTime() + 1_000)
  const { id, secret } = await sessions.admin.call(addDestination, {
    body: { ...webhook, url: receiver.url, ...fields },
  })
  return { id, secret }
}

/** Sends everything that is pending. */
const deliver = () =>
  deliverAll({
    db: database.db,
    now: () => now,
    log: pino({ level: 'silent' }),
    outbound: lab.outbound(),
    sealing: testSealing,
    baseUrl,
    name: 'test',
  })

/** Sends a test and returns its result. */
async function tested(id: string) {
  now = new Date(now.getTime() + 1_000)
  const { deliveryId } = await sessions.admin.call(testDestination, { params: { destination: id } })
  const delivery = () => sessions.admin.call(getDelivery, { params: { delivery: deliveryId } })
  expect(await delivery()).toMatchObject({ state: 'pending', sentAt: null })
  await deliver()
  return delivery()
}

async function emit(): Promise<void> {
  now = new Date(now.getTime() + 1_000)
  const incident = { id: '0190d3a8-0000-7000-8000-000000000001', reference: 'INC-2026-0001', title: 'Pump' }
  const data = {
    incident,
    regime: 'cra',
    report: 'early_warning',
    dueAt: new Date(now.getTime() + 3_600_000).toISOString(),
  } as const
  const eventId = crypto.randomUUID()
  await emitEvent(database.db, { workspaceId, eventId, fact: { type: 'deadline.warning', data } }, now)
  await deliver()
}

async function failing(run: () => Promise<unknown>): Promise<void> {
  answerStatus = 507
  await run()
  answerStatus = 204
}

test('destinations of both origins are listed with who added them', async () => {
  const { id } = await add()
  const body = JSON.stringify({ ...webhook, name: 'By API', url: receiver.url })
  const viaApi = await call(`${http.url}/api/v1/alert-destinations`, {
    method: 'POST',
    token: apiToken,
    body,
  })
  expect(viaApi.status).toBe(201)
  const list = await sessions.lead.call(listDestinations)
  expect(list.canStore).toBe(true)
  expect(list.destinations).toMatchObject([
    { id, name: 'On call', addedBy: { kind: 'person', name: 'admin' }, hasSecret: true, enabled: true },
    { name: 'By API', addedBy: { kind: 'token', name: 'ops' }, createdAt: now.toISOString() },
  ])
  expect(JSON.stringify(list)).not.toMatch(/whsec_|\/hook/)
})

test.each([
  ['webhook', 'https://alerts.acme.example/hook', null],
  ['webhook', 'http://alerts.acme.example/hook', 'It must start with https://.'],
  ['webhook', 'https://127.0.0.1/', 'It needs a full host name, not an IP address.'],
  ['chat_a', 'https://alerts.acme.example/services/x', 'The host must be hooks.slack.com.'],
] as const)('a URL is judged while it is typed: %s %s', async (kind, url, problem) => {
  expect(await sessions.admin.call(checkDestinationUrl, { body: { kind, url } })).toMatchObject({ problem })
})

test('a destination is renamed, told other events, and turned off; it still gets tests', async () => {
  const { id } = await add()
  const change = (body: object) =>
    sessions.admin.ask(changeDestination, { params: { destination: id }, body })
  expect(await change({ name: ' Night ', events: ['deadline.warning'] })).toMatchObject({ status: 204 })
  expect(await change({ enabled: false })).toMatchObject({ status: 204 })
  expect(await change({ name: ' ', events: [] })).toMatchObject({
    status: 400,
    body: { fields: { name: anyText, events: anyText } },
  })
  const { destinations } = await sessions.admin.call(listDestinations)
  expect(destinations.find((row) => row.id === id)).toMatchObject({
    name: 'Night',
    events: ['deadline.warning'],
    enabled: false,
    lastDeliveryAt: null,
  })
  await emit()
  expect(await tested(id)).toMatchObject({ type: 'test', state: 'sent', status: 204, reason: null })
  const { deliveries } = await sessions.lead.call(listDeliveries, { params: { destination: id } })
  expect(deliveries).toMatchObject([
    { type: 'test', state: 'sent', url: `${baseUrl}/app/acme/settings/notifications` },
    { type: 'deadline.warning', state: 'not_sent', reason: 'the destination is turned off', sentAt: null },
  ])
  expect(deliveries[0]?.id).toMatch(/^evt_[0-9a-f-]{36}$/)
})

test('a new secret signs what is sent from then on; chats have none', async () => {
  const { id, secret } = await add()
  const renewed = await sessions.admin.call(renewDestinationSecret, { params: { destination: id } })
  expect(renewed).toMatchObject({ secret: textLike(/^whsec_/) })
  expect(renewed.secret).not.toBe(secret)
  const slack = await add({ kind: 'chat_a', url: 'https://hooks.slack.com/services/T0/B0/x' })
  const refused = await sessions.admin.refused(renewDestinationSecret, { params: { destination: slack.id } })
  expect(refused).toMatchObject({ status: 409 })
})

describe('delivery problems', () => {
  test('are listed newest first with reason and link, by destination, and stay when it is removed', async () => {
    const kept = await add({ name: 'Kept' })
    const gone = await add({ name: 'Gone' })
    const before = (await sessions.admin.call(getWorkspace)).recentProblems ?? 0
    await failing(async () => {
      await emit()
      await tested(gone.id)
    })
    await sessions.admin.call(removeDestination, { params: { destination: gone.id } })
    const of = (destination: string) => sessions.lead.call(listDeliveryProblems, { query: { destination } })
    const ofGone = await of(gone.id)
    expect(ofGone).toMatchObject({
      total: 2,
      nextCursor: null,
      rows: [
        {
          type: 'test',
          status: 507,
          reason: 'HTTP 507: no room',
          destination: { name: 'Gone', isRemoved: true },
        },
        { url: `${baseUrl}/app/acme/incidents/0190d3a8-0000-7000-8000-000000000001` },
      ],
    })
    expect(await of(kept.id)).toMatchObject({ total: 1, rows: [{ destination: { isRemoved: false } }] })
    const all = await sessions.admin.call(listDeliveryProblems)
    expect(all.total - before).toBeGreaterThanOrEqual(3)
    expect((await sessions.admin.call(getWorkspace)).recentProblems).toBe(all.total)
  })

  test('are paged', async () => {
    const { id } = await add({ name: 'Busy' })
    await failing(async () => {
      for (let sent = 0; sent < 101; sent += 1)
        await sessions.admin.call(testDestination, { params: { destination: id } })
      await deliver()
    })
    const page = (cursor?: string | null) =>
      sessions.admin.call(listDeliveryProblems, { query: { destination: id, cursor: cursor ?? undefined } })
    const first = await page()
    expect([first.rows.length, first.total]).toEqual([100, 101])
    const rest = await page(first.nextCursor)
    expect([rest.rows.length, rest.nextCursor]).toEqual([1, null])
    expect(new Set([...first.rows, ...rest.rows].map((row) => row.id)).size).toBe(101)
  })

  test('count as recent for a day, and for roles that see them', async () => {
    const count = async (role: Role) => (await sessions[role].call(getWorkspace)).recentProblems
    expect(await count('owner')).toBeGreaterThan(100)
    expect([await count('editor'), await count('viewer')]).toEqual([null, null])
    const sent = now
    now = new Date(now.getTime() + 24 * 3600 * 1000 + 1)
    expect(await count('owner')).toBe(0)
    now = sent
  })
})

describe('what each role may do', () => {
  const acts = (params: { destination: string }): Record<string, (role: Role) => Promise<Answer>> => ({
    add: (role) => sessions[role].ask(addDestination, { body: { ...webhook, url: receiver.url } }),
    check: (role) => sessions[role].ask(checkDestinationUrl, { body: { kind: 'webhook', url: '' } }),
    change: (role) => sessions[role].ask(changeDestination, { params, body: { enabled: true } }),
    secret: (role) => sessions[role].ask(renewDestinationSecret, { params }),
    test: (role) => sessions[role].ask(testDestination, { params }),
    remove: (role) => sessions[role].ask(removeDestination, { params }),
    list: (role) => sessions[role].ask(listDestinations),
    history: (role) => sessions[role].ask(listDeliveries, { params }),
    problems: (role) => sessions[role].ask(listDeliveryProblems),
  })
  const statuses = async (id: string, role: Role) =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(acts({ destination: id })).map(
          async ([name, act]) => [name, (await act(role)).status] as const,
        ),
      ),
    )

  test('leads look, editors and viewers do not', async () => {
    const { id } = await add()
    const refused = { add: 403, check: 403, change: 403, secret: 403, test: 403, remove: 403 }
    expect(await statuses(id, 'lead')).toEqual({ ...refused, list: 200, history: 200, problems: 200 })
    for (const role of ['editor', 'viewer'] as const) {
      expect(await statuses(id, role)).toEqual({ ...refused, list: 403, history: 403, problems: 403 })
    }
  })

  test.each([
    ['starter', { add: 403, check: 200, change: 204, secret: 200, test: 403 }],
    ['free', { add: 402, check: 200, change: 402, secret: 402, test: 402 }],
  ] as const)('on %s', async (plan, expected) => {
    const { id } = await add()
    await setPlan(database.db, { workspaceId, actor: tester, now, plan })
    const { add: adding, check, change, secret, test: testing, ...reading } = acts({ destination: id })
    const found = Object.fromEntries(
      await Promise.all(
        Object.entries({ add: adding, check, change, secret, test: testing }).map(
          async ([name, act]) => [name, (await act?.('owner'))?.status] as const,
        ),
      ),
    )
    expect(found).toEqual(expected)
    for (const name of ['list', 'history', 'problems'])
      expect((await reading[name]?.('owner'))?.status).toBe(200)
    expect((await reading['remove']?.('owner'))?.status).toBe(plan === 'starter' ? 204 : 402)
    await setPlan(database.db, { workspaceId, actor: tester, now, plan: 'core' })
  })
})

test('without a key the list says that nothing can be stored', async () => {
  const keyless = await startTestHttp({ database, now: () => now, sealing: createSealing(null) })
  const session = await AppSession.signIn(keyless.url, { email: 'owner@acme.example', password })
  expect(await session.call(listDestinations)).toMatchObject({ canStore: false })
  const body = { ...webhook, url: receiver.url }
  expect(await session.refused(addDestination, { body })).toMatchObject({
    status: 503,
    body: { error: 'not_configured' },
  })
  await keyless.stop()
})
