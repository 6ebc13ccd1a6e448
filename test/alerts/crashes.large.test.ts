import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDeliverer } from '../../src/alerts/deliveries/deliverer.ts'
import { recoverDeliveries } from '../../src/alerts/deliveries/settle.ts'
import { createOutbound, type Outbound } from '../../src/platform/outbound/outbound.ts'
import { parseDialMap } from '../../src/platform/outbound/dial-map.ts'
import { createPool, createQueries } from '../../src/platform/postgres/pool.ts'
import { createSealing } from '../../src/platform/sealing/sealing.ts'
import { createKeyRing, parseKeys } from '../../src/platform/sealing/key-ring.ts'
import type { Db } from '../../src/database/connection.ts'
import type { Tables } from '../../src/database/tables.ts'
import { killDuringDeliveries } from '../reliability/scenarios/kill-during-deliveries.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { baseUrl } from '../support/http.ts'
import { startReceiverLab, type Receiver, type ReceiverLab } from '../support/receivers.ts'
import { startWorkProcess } from '../support/work-process.ts'
import { startStoreProxy } from '../support/store-proxy.ts'
import { facts, openAlertScene, sceneKeys, type AlertScene } from './alert-scene.ts'

let lab: ReceiverLab
beforeAll(async () => {
  lab = await startReceiverLab()
})
afterAll(() => lab.close())

const databases: TestDatabase[] = []
async function open(): Promise<TestDatabase> {
  const database = await createTestDatabase()
  databases.push(database)
  return database
}
afterAll(() => Promise.all(databases.map((database) => database.drop())))

async function untilOver(scene: AlertScene): Promise<void> {
  for (;;) {
    const open = (await scene.deliveries()).filter(({ state }) => state === 'pending' || state === 'sending')
    if (open.length === 0) return
    await sleep(20)
  }
}

test('kill -9 in the middle of 200 deliveries: every event arrives, nothing recorded is sent again', async () => {
  const { db, url } = await open()
  const { figures, failures } = await killDuringDeliveries({
    db,
    storeEnv: { DATABASE_URL: url },
    kills: 1,
    deliveries: 200,
    processes: 1,
  })
  console.info(figures)
  expect(failures).toEqual([])
})

test('two processes share the deliveries and make none twice', async () => {
  const database = await open()
  const scene = await openAlertScene(database.db)
  const receiver = await lab.receive('shared.test')
  await scene.store(scene.acme.id, { url: receiver.url })
  for (let event = 0; event < 100; event += 1) await scene.tell(scene.acme.id, facts['incident.opened'])
  const outbound = lab.outbound()
  await Promise.all([scene.send(outbound), scene.send(outbound)])
  const ids = receiver.requests.map(({ headers }) => headers['service-event-id'])
  expect(ids).toHaveLength(100)
  expect(new Set(ids).size).toBe(100)
})

/** A deliverer whose database disappears when `leave` is called, and returns after two refusals. */
async function deliverWhileAway(
  scene: AlertScene,
  database: TestDatabase,
  outboundWith: (leave: () => void) => Outbound,
): Promise<void> {
  const proxy = await startStoreProxy(database.direct)
  const pool = createPool(
    { connectionString: proxy.url },
    { max: 4, applicationName: 'proxied', log: { warn: () => undefined } },
  )
  const db = createQueries<Tables>(pool)
  const hasLeft = Promise.withResolvers<null>()
  const outbound = outboundWith(() => {
    proxy.refuse(true)
    proxy.cut()
    hasLeft.resolve(null)
  })
  await scene.tell(scene.acme.id, facts['incident.opened'])
  const deliverer = startDeliverer({
    db,
    now: () => new Date(),
    log: pino({ level: 'silent' }),
    outbound,
    sealing: createSealing(createKeyRing(parseKeys(sceneKeys))),
    baseUrl,
    name: 'away',
  })
  try {
    await hasLeft.promise
    while (proxy.refused() < 2) await sleep(20)
    // the lease would have expired by now if the database had been away for long
    await sql`update alert_delivery set leased_until = clock_timestamp() - interval '1 second'`.execute(
      database.db,
    )
    proxy.refuse(false)
    await untilOver(scene)
    await deliverer.stop()
  } finally {
    await db.destroy()
    await proxy.close()
  }
}

test('a post whose result cannot be stored at once is recorded when the database returns, and not repeated', async () => {
  const database = await open()
  const scene = await openAlertScene(database.db)
  let leaveOnce: () => void = () => undefined
  const receiver = await lab.receive('away.test', (_request, response) => {
    // the database disappears while the receiver has the request
    leaveOnce()
    response.writeHead(204).end()
  })
  await scene.store(scene.acme.id, { url: receiver.url })
  await deliverWhileAway(scene, database, (leave) => {
    leaveOnce = once(leave)
    return lab.outbound()
  })
  expect(await scene.deliveries()).toMatchObject([{ state: 'sent', status: 204, attempts: 1 }])
  expect(receiver.requests).toHaveLength(1)
})

test('a post that the database leaves before it begins is sent when the database returns', async () => {
  const database = await open()
  const scene = await openAlertScene(database.db)
  const receiver = await lab.receive('left.test')
  await scene.store(scene.acme.id, { url: receiver.url })
  await deliverWhileAway(scene, database, (leave) => {
    const leaveOnce = once(leave)
    return outboundTo(receiver, () => {
      leaveOnce()
      return Promise.resolve()
    })
  })
  expect(await scene.deliveries()).toMatchObject([{ state: 'sent', status: 204 }])
  expect(receiver.requests).toHaveLength(1)
})

/** To this receiver only, after `first` has run. */
function outboundTo(receiver: Receiver, first: () => Promise<unknown>): Outbound {
  // trusts the authority of the lab
  lab.outbound()
  const address = '93.184.216.34'
  return createOutbound({
    dnsServer: null,
    resolve: () => first().then(() => [address]),
    dialMap: parseDialMap({ [`${address}:443`]: `127.0.0.1:${receiver.port}` }),
    allowedOrigins: {},
  })
}

function once(act: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) act()
    isDone = true
  }
}

test('a process that stood still while its post was answered records the answer', async () => {
  const { db, url } = await open()
  const scene = await openAlertScene(db)
  const answered = Promise.withResolvers<null>()
  const receiver = await lab.receive('paused.test', (_request, response) => {
    process.kill(work.pid, 'SIGSTOP')
    response.writeHead(204).end(() => answered.resolve(null))
  })
  await scene.store(scene.acme.id, { url: receiver.url })
  await scene.tell(scene.acme.id, facts['incident.opened'])
  const env = { DATABASE_URL: url, ...lab.env(), ENCRYPTION_KEYS: sceneKeys, LOG_LEVEL: 'warn' }
  const work = startWorkProcess(env)
  await answered.promise
  // longer than the limit of a post
  await sleep(5_500)
  process.kill(work.pid, 'SIGCONT')
  await untilOver(scene)
  expect(await scene.deliveries()).toMatchObject([{ state: 'sent', status: 204, attempts: 1 }])
  expect(receiver.requests).toHaveLength(1)
  await work.stop()
})

test('what was taken for lost, because its process stood still, has the result it had', async () => {
  const { db } = await open()
  await untilLeasesCount(db)
  const scene = await openAlertScene(db)
  const receiver = await lab.receive('lost.test', (_request, response) => {
    void sql`update alert_delivery set attempts = 2, begun = 2, leased_until = clock_timestamp() - interval '1 second'`
      .execute(db)
      .then(() => recoverDeliveries(db, new Date()))
      .then(() => response.writeHead(503).end())
  })
  const id = await scene.store(scene.acme.id, { url: receiver.url })
  await scene.tell(scene.acme.id, facts['incident.opened'])
  // the retry after a crash
  await sql`update alert_delivery set attempts = 1, begun = 1`.execute(db)
  await scene.send(lab.outbound())
  expect(await scene.deliveries()).toMatchObject([{ state: 'failed', status: 503, reason: 'HTTP 503' }])
  const destination = db.selectFrom('alert_destination').select('last_error').where('id', '=', id)
  expect(await destination.executeTakeFirst()).toEqual({ last_error: 'HTTP 503' })
})

test('what no receiver can have seen is not counted: a third process sends what two held that died before they were connected', async () => {
  const { db, url } = await open()
  await untilLeasesCount(db)
  const scene = await openAlertScene(db)
  const receiver = await lab.receive('unconnected.test')
  await scene.store(scene.acme.id, { url: receiver.url })
  await scene.tell(scene.acme.id, facts['incident.opened'])
  const env = { DATABASE_URL: url, ...lab.env(), ENCRYPTION_KEYS: sceneKeys, LOG_LEVEL: 'warn' }
  for (let kills = 0; kills < 2; kills += 1) {
    const asked = Promise.withResolvers<null>()
    lab.resolve('unconnected.test', () => {
      asked.resolve(null)
      return { isSilent: true }
    })
    const work = startWorkProcess(env)
    await asked.promise
    await work.kill()
    await sql`update alert_delivery set leased_until = clock_timestamp() - interval '1 second'`.execute(db)
  }
  lab.map('unconnected.test', receiver.port)
  await scene.send(lab.outbound())
  expect(await scene.deliveries()).toMatchObject([{ state: 'sent', status: 204, attempts: 3 }])
  expect(receiver.requests).toHaveLength(1)
})

test('a delivery that another process has taken up meanwhile is not sent', async () => {
  const { db } = await open()
  const scene = await openAlertScene(db)
  const receiver = await lab.receive('taken.test')
  await scene.store(scene.acme.id, { url: receiver.url })
  await scene.tell(scene.acme.id, facts['incident.opened'])
  // the lookup outlasts the lease
  const outbound = outboundTo(receiver, () =>
    sql`update alert_delivery set attempts = 2, leased_by = 'another'`.execute(db),
  )
  const sending = scene.send(outbound)
  while ((await scene.deliveries())[0]?.attempts !== 2) await sleep(5)
  await sleep(200)
  expect(receiver.requests).toHaveLength(0)
  expect(await scene.deliveries()).toMatchObject([{ state: 'sending' }])
  await sql`update alert_delivery set state = 'sent'`.execute(db)
  await sending
})

/** A freshly started server gives everyone time to renew their leases. */
async function untilLeasesCount(db: Db): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ isOld: boolean }>`
      select pg_postmaster_start_time() < clock_timestamp() - interval '16 seconds' as "isOld"`.execute(db)
    if (rows[0]?.isOld === true) return
    await sleep(100)
  }
}
