import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sendTest } from '../../src/alerts/deliveries/send-test.ts'
import { changeDestination, renewSecret } from '../../src/alerts/destinations/change-destination.ts'
import { removeDestination } from '../../src/alerts/destinations/remove-destination.ts'
import { createKeyRing, parseKeys } from '../../src/platform/sealing/key-ring.ts'
import { createSealing, placeCanary } from '../../src/platform/sealing/sealing.ts'
import { setClosed, setPlan } from '../../src/workspace/workspaces.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { call, startTestHttp } from '../support/http.ts'
import { startReceiverLab, type Receiver, type ReceiverLab } from '../support/receivers.ts'
import { facts, openAlertScene, sceneKeys, storedSecret, type AlertScene } from './alert-scene.ts'
import { fieldOf } from '../support/read-as.ts'
import { tester } from '../support/actors.ts'

let database: TestDatabase
let scene: AlertScene
let lab: ReceiverLab
let receiver: Receiver
let destinationId: string
let hosts = 0
const sealing = createSealing(createKeyRing(parseKeys(sceneKeys)))

beforeAll(async () => {
  database = await createTestDatabase()
  scene = await openAlertScene(database.db)
  await placeCanary(database.db, sealing, testNow)
  lab = await startReceiverLab()
})
beforeEach(async () => {
  await database.pool.query('delete from alert_delivery')
  await database.pool.query('delete from alert_destination')
  hosts += 1
  receiver = await lab.receive(`not-sent-${hosts}.test`, (_request, response) =>
    response.writeHead(500).end('no'),
  )
  destinationId = await scene.store(scene.acme.id, { url: receiver.url })
})
afterAll(async () => {
  lab.close()
  await database.drop()
})

const act = () => ({ workspaceId: scene.acme.id, destinationId, actor: tester, clock: () => testNow })
const plan = (to: 'free' | 'starter' | 'core') =>
  setPlan(database.db, { workspaceId: scene.acme.id, plan: to, actor: tester, now: testNow })
const close = (closedAt: Date | null) =>
  setClosed(database.db, { workspaceId: scene.acme.id, closedAt, actor: tester, now: testNow })

const states: [name: string, reason: string, enter: () => Promise<unknown>, leave: () => Promise<unknown>][] =
  [
    [
      'off',
      'the destination is turned off',
      () => changeDestination(database.db, act(), { enabled: false }),
      () => Promise.resolve(),
    ],
    ['Starter', 'the plan does not include alert destinations', () => plan('starter'), () => plan('core')],
    ['Free', 'the workspace is read-only', () => plan('free'), () => plan('core')],
    ['closed', 'the workspace is closed', () => close(testNow), () => close(null)],
  ]

test.each<(typeof states)[number]>([
  ...states,
  [
    'removed',
    'the destination was removed',
    () => removeDestination(database.db, act()),
    () => Promise.resolve(),
  ],
])('%s while the receiver is being connected: %s', async (_name, reason, enter, leave) => {
  await scene.tell(scene.acme.id, facts['incident.opened'])
  const outbound = lab.outbound()
  try {
    await scene.send({
      ...outbound,
      ask: (question) =>
        outbound.ask({
          ...question,
          beforeSending: async () => {
            await enter()
            await question.beforeSending?.()
          },
        }),
    })
  } finally {
    await leave()
  }
  expect(receiver.requests).toEqual([])
  expect(await scene.deliveries()).toMatchObject([{ state: 'not_sent', reason }])
})

test.each(states)('%s: %s', async (_name, reason, enter, leave) => {
  // decided at the time of sending, not of the event
  await scene.tell(scene.acme.id, facts['incident.opened'])
  await enter()
  try {
    await scene.send(lab.outbound())
  } finally {
    await leave()
  }
  expect(receiver.requests).toEqual([])
  expect(await scene.deliveries()).toMatchObject([{ state: 'not_sent', reason }])
  const { rows } = await database.pool.query('select last_delivery_at, last_error from alert_destination')
  expect(rows).toEqual([{ last_delivery_at: null, last_error: null }])
  // what was not sent then is never sent
  await scene.send(lab.outbound())
  expect(receiver.requests).toEqual([])
})

test('a test is sent while the destination is off', async () => {
  await changeDestination(database.db, act(), { enabled: false })
  await sendTest(database.db, act())
  await scene.send(lab.outbound())
  expect(receiver.requests.map(({ body }) => fieldOf(JSON.parse(body), 'type'))).toEqual(['test'])
  const { rows } = await database.pool.query('select last_delivery_at, last_error from alert_destination')
  expect(rows).toEqual([{ last_delivery_at: testNow, last_error: 'HTTP 500: no' }])
})

test('nothing is posted once the destination is removed, and its failures stay', async () => {
  await scene.tell(scene.acme.id, facts['incident.opened'])
  await scene.send(lab.outbound())
  await scene.tell(scene.acme.id, facts['incident.opened'])
  await removeDestination(database.db, act())
  await scene.send(lab.outbound())
  expect(receiver.requests).toHaveLength(1)
  const kept = (await scene.deliveries()).map(({ state, reason }) => `${state}: ${reason ?? ''}`)
  expect(kept.toSorted()).toEqual(['failed: HTTP 500: no', 'not_sent: the destination was removed'])
})

test('a new secret signs from then on, and the old one no more', async () => {
  await scene.tell(scene.acme.id, facts['incident.opened'])
  const { secret } = await renewSecret(database.db, act(), sealing)
  await scene.send(lab.outbound())
  const [request] = receiver.requests
  const [, t = '', v1 = ''] = /^t=(\d+),v1=(\w+)$/.exec(String(request?.headers['service-signature'])) ?? []
  const under = (key: string) =>
    createHmac('sha256', key)
      .update(`${t}.${request?.body ?? ''}`)
      .digest('hex')
  expect(v1).toBe(under(secret))
  expect(v1).not.toBe(under(storedSecret))
})

test('of two errors that are true at once the first in the order is answered', async () => {
  const http = await startTestHttp({ database, now: () => testNow, sealing: createSealing(null) })
  const post = (token: string, body: string) =>
    call(`${http.url}/api/v1/alert-destinations`, { method: 'POST', token, body })
  const token = scene.acme.workspaceToken
  const tooLong = 'x'.repeat(20_000)
  try {
    // checks whether URLs can be stored before reading the body
    expect(await post(token, tooLong)).toMatchObject({ status: 503 })
    await plan('starter')
    expect(await post(token, tooLong)).toMatchObject({ status: 403 })
    await plan('free')
    expect(await post(token, tooLong)).toMatchObject({ status: 402 })
    const { rows } = await database.pool.query('select from token_use')
    expect(rows).toHaveLength(1)
    for (let request = 3; request < 60; request += 1) await post(token, tooLong)
    expect(await post(token, tooLong)).toMatchObject({ status: 429 })
    expect(await post(`svc_${'x'.repeat(43)}`, tooLong)).toMatchObject({ status: 401 })
  } finally {
    await plan('core')
    await http.stop()
  }
})
