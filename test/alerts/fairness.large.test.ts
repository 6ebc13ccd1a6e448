import { EventEmitter, once } from 'node:events'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startDeliverer, type RunningDeliverer } from '../../src/alerts/deliveries/deliverer.ts'
import type { Outbound } from '../../src/platform/outbound/outbound.ts'
import { createKeyRing, parseKeys } from '../../src/platform/sealing/key-ring.ts'
import { createSealing } from '../../src/platform/sealing/sealing.ts'
import { provision } from '../../src/provision/provision.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { baseUrl } from '../support/http.ts'
import { startReceiverLab, type ReceiverLab } from '../support/receivers.ts'
import { facts, openAlertScene, sceneKeys, type AlertScene } from './alert-scene.ts'

let database: TestDatabase
let lab: ReceiverLab
beforeAll(async () => {
  lab = await startReceiverLab()
})
beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(() => database.drop())
afterAll(() => lab.close())

function start(outbound = lab.outbound()): RunningDeliverer {
  const deliverer = startDeliverer({
    db: database.db,
    now: () => new Date(),
    log: pino({ level: 'silent' }),
    outbound,
    sealing: createSealing(createKeyRing(parseKeys(sceneKeys))),
    baseUrl,
    name: 'test',
  })
  deliverer.wake()
  return deliverer
}

test('a workspace whose receivers hang holds up nobody else, not even at the same host', async () => {
  const scene = await openAlertScene(database.db)
  const hanging = await lab.receive('hanging.test', () => undefined)
  const shared = await lab.receive('shared.test', ({ path }, response) => {
    if (path === '/healthy') response.writeHead(204).end()
  })
  await scene.store(scene.acme.id, { url: hanging.url })
  await scene.store(scene.acme.id, { url: 'https://shared.test/hangs' })
  for (let event = 0; event < 300; event += 1) await scene.tell(scene.acme.id, facts['incident.opened'])
  await scene.store(scene.umbrella.id, { url: 'https://shared.test/healthy' })
  await scene.tell(scene.umbrella.id, facts['incident.opened'])

  const deliverer = start()
  const healthy = () => shared.requests.filter(({ path }) => path === '/healthy')
  while (healthy().length === 0) await shared.wait(shared.requests.length + 1)
  // five seconds each, one after the other: few of the flood have started
  const { rows } = await database.pool.query<{ waiting: number }>(
    `select count(*)::int as waiting from alert_delivery where state = 'pending' and workspace_id = $1`,
    [scene.acme.id],
  )
  expect(rows[0]?.waiting).toBeGreaterThan(500)
  await deliverer.stop()
})

test('a receiver that hangs holds up no other one of its workspace at the same host', async () => {
  const scene = await openAlertScene(database.db)
  const events = 10
  const isHealthy = ({ path }: { path: string }) => path === '/healthy'
  const host = await lab.receive('paths.test', (request, response) => {
    if (isHealthy(request)) response.writeHead(204).end()
  })
  for (const path of ['hangs', 'hangs-too', 'healthy'])
    await scene.store(scene.acme.id, { url: `https://paths.test/${path}` })
  for (let event = 0; event < events; event += 1) await scene.tell(scene.acme.id, facts['incident.opened'])

  const deliverer = start()
  const hanging = () => host.requests.filter((request) => !isHealthy(request))
  while (host.requests.filter(isHealthy).length < events) await host.wait(host.requests.length + 1)
  // five seconds each, and no more than one at a time
  expect(hanging()).toHaveLength(2)
  await deliverer.stop()
})

/** Workspaces, each with eight destinations at every host: more in all than may be posted to at a time, and a queue for each of them. */
async function flood(scene: AlertScene, urls: string[], workspaces: number): Promise<number> {
  for (let each = 0; each < workspaces; each += 1) {
    const [made] = (
      await provision(
        database.db,
        {
          workspaces: [
            {
              slug: `flood-${each}`,
              companyName: 'Flood',
              securityContactEmail: 'a@flood.example',
              plan: 'core',
            },
          ],
        },
        testNow,
      )
    ).workspaces
    const workspaceId = made?.id ?? ''
    for (const url of urls)
      for (let path = 0; path < 8; path += 1) await scene.store(workspaceId, { url: `${url}/${path}` })
    for (let event = 0; event < queued; event += 1) await scene.tell(workspaceId, facts['incident.opened'])
  }
  return workspaces * urls.length * 8
}

const queued = 6

/** What is posted, in this order. */
function inOrder(): { outbound: Outbound; posted: (url: string) => Promise<number> } {
  const outbound = lab.outbound()
  const urls: string[] = []
  const posting = new EventEmitter()
  const ask: Outbound['ask'] = (question) => {
    urls.push(question.url)
    posting.emit('post')
    return outbound.ask(question)
  }
  const posted = async (url: string) => {
    while (!urls.includes(url)) await once(posting, 'post')
    return urls.indexOf(url)
  }
  return { outbound: { ...outbound, ask }, posted }
}

test.each([
  { hosts: 1, workspaces: 9 },
  { hosts: 10, workspaces: 7 },
])(
  'with $hosts hosts of $workspaces workspaces that hang, a new alert does not wait for what queues there',
  async ({ hosts, workspaces }) => {
    const urls: string[] = []
    for (let host = 0; host < hosts; host += 1) {
      const receiver = await lab.receive(`flood-${hosts}-${host}.test`, () => undefined)
      urls.push(`https://${receiver.host}`)
    }
    const scene = await openAlertScene(database.db)
    const destinations = await flood(scene, urls, workspaces)
    const healthy = `${urls[0]}/healthy`
    await scene.store(scene.umbrella.id, { url: healthy })
    await scene.tell(scene.umbrella.id, facts['incident.opened'])

    const { outbound, posted } = inOrder()
    const deliverer = start(outbound)
    // each of the others may have had its turn before it, but not twice
    expect(await posted(healthy)).toBeLessThanOrEqual(destinations * 2)
    await deliverer.stop()
  },
)

test('a receiver that takes its time over each alert gets some beside each other', async () => {
  const scene = await openAlertScene(database.db)
  const events = 6
  let open = 0
  let maxOpen = 0
  const slow = await lab.receive('slow.test', (_request, response) => {
    open += 1
    maxOpen = Math.max(maxOpen, open)
    setTimeout(() => {
      open -= 1
      response.writeHead(204).end()
    }, 1_500)
  })
  await scene.store(scene.acme.id, { url: slow.url })
  for (let event = 0; event < events; event += 1) await scene.tell(scene.acme.id, facts['incident.opened'])

  const deliverer = start()
  await slow.wait(events)
  // only the first, which showed how long an answer takes, runs alone
  expect(maxOpen).toBe(3)
  await deliverer.stop()
})
