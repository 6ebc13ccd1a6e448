import pino from 'pino'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { startDeliverer } from '../../src/alerts/deliveries/deliverer.ts'
import { createPool, createQueries } from '../../src/platform/postgres/pool.ts'
import { createSealing } from '../../src/platform/sealing/sealing.ts'
import { createKeyRing, parseKeys } from '../../src/platform/sealing/key-ring.ts'
import type { Tables } from '../../src/database/tables.ts'
import { killDuringDeliveries } from '../reliability/scenarios/kill-during-deliveries.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { baseUrl } from '../support/http.ts'
import { startReceiverLab } from '../support/receivers.ts'
import { startStoreProxy } from '../support/store-proxy.ts'
import { facts, openAlertScene, sceneKeys } from './alert-scene.ts'

const databases: TestDatabase[] = []
async function open(): Promise<TestDatabase> {
  const database = await createTestDatabase()
  databases.push(database)
  return database
}
afterAll(() => Promise.all(databases.map((database) => database.drop())))

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
  const lab = await startReceiverLab()
  const receiver = await lab.receive('shared.test')
  await scene.store(scene.acme.id, { url: receiver.url })
  for (let event = 0; event < 100; event += 1) await scene.tell(scene.acme.id, facts['incident.opened'])
  const outbound = lab.outbound()
  await Promise.all([scene.send(outbound), scene.send(outbound)])
  const ids = receiver.requests.map(({ headers }) => headers['service-event-id'])
  expect(ids).toHaveLength(100)
  expect(new Set(ids).size).toBe(100)
  lab.close()
})

test('a post whose result cannot be stored at once is recorded when the database returns, and not repeated', async () => {
  const database = await open()
  const scene = await openAlertScene(database.db)
  const lab = await startReceiverLab()
  const proxy = await startStoreProxy(database.connection)
  const pool = createPool(
    { connectionString: proxy.url },
    {
      max: 4,
      applicationName: 'proxied',
      log: { warn: () => undefined },
    },
  )
  const db = createQueries<Tables>(pool)
  let isAway = false
  const receiver = await lab.receive('away.test', (_request, response) => {
    // the database goes away while the receiver has the request
    if (!isAway) {
      isAway = true
      proxy.refuse(true)
      proxy.cut()
    }
    response.writeHead(204).end()
  })
  await scene.store(scene.acme.id, { url: receiver.url })
  await scene.tell(scene.acme.id, facts['incident.opened'])
  const deliverer = startDeliverer({
    db,
    now: () => new Date(),
    log: pino({ level: 'silent' }),
    outbound: lab.outbound(),
    sealing: createSealing(createKeyRing(parseKeys(sceneKeys))),
    baseUrl,
    name: 'away',
  })
  try {
    await receiver.wait(1)
    while (proxy.refused() < 2) await new Promise((resolve) => setTimeout(resolve, 20))
    // by now the lease would have run out, had the database been away for long
    await sql`update alert_delivery set leased_until = clock_timestamp() - interval '1 second'`.execute(
      database.db,
    )
    proxy.refuse(false)
    for (;;) {
      const [delivery] = await scene.deliveries()
      if (delivery?.state === 'sent') break
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await deliverer.stop()
    expect(await scene.deliveries()).toMatchObject([{ state: 'sent', status: 204, attempts: 1 }])
    expect(receiver.requests).toHaveLength(1)
  } finally {
    await db.destroy()
    await proxy.close()
    lab.close()
  }
})
