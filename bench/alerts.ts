import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { facts, openAlertScene, sceneKeys, type AlertScene } from '../test/alerts/alert-scene.ts'
import { openDatabaseOf } from '../test/support/database-of.ts'
import { startRealService } from '../test/support/real-service.ts'
import { startReceiverLab, type Receiver, type ReceiverLab } from '../test/support/receivers.ts'
import { startWorkProcess } from '../test/support/work-process.ts'
import { median, percentile, report, round, say } from './report.ts'

const posts = 2_000
/** What a work process has under way to one host of a workspace. */
const atOnce = 8
const hanging = 100
const events = 40

type Bench = { scene: AlertScene; lab: ReceiverLab; env: Record<string, string> }

/**
 * Deliveries to a receiver that answers at once, from the database to the recorded result, against bare posts over new connections; then how
 * long an alert takes to a healthy receiver while a hundred others accept connections and say nothing.
 */
export async function benchAlerts(): Promise<void> {
  const lab = await startReceiverLab()
  const real = await startRealService({ families: 1, role: 'serve' })
  const db = await openDatabaseOf(real.service, 'bench')
  try {
    const scene = await openAlertScene(db)
    scene.clock.isReal = true
    const env = { DATA_DIR: real.dataDir, DATABASE_URL: '', LOG_LEVEL: 'warn', ENCRYPTION_KEYS: sceneKeys }
    await benchRate({ scene, lab, env })
    await benchHanging({ scene, lab, env })
  } finally {
    await db.destroy()
    await real.close()
    lab.close()
  }
}

async function benchRate({ scene, lab, env }: Bench): Promise<void> {
  say(`${posts} alerts to one receiver`)
  const receiver = await lab.receive('fast.bench.test')
  await scene.store(scene.acme.id, { url: receiver.url, events: ['incident.opened'] })
  for (let post = 0; post < posts; post += 1) await scene.tell(scene.acme.id, facts['incident.opened'])
  const work = startWorkProcess({ ...env, ...lab.env() })
  await scene.untilAllSent()
  await work.stop()
  const rate = ratePerSecond(receiver)
  const bare = await bareRate(lab, receiver)
  report({
    figure: 'alerts_per_second',
    value: rate,
    unit: 'deliveries/s',
    runs: posts,
    ratio: {
      of: `bare posts, ${atOnce} at a time, each over a new TLS connection`,
      value: round(rate / bare),
    },
    detail: { barePerSecond: round(bare) },
  })
}

/** Between the first arrival and the last: the start of the process is not counted. */
function ratePerSecond({ requests }: Receiver): number {
  const first = requests[0]?.at.getTime() ?? 0
  const last = requests.at(-1)?.at.getTime() ?? 0
  return (requests.length - 1) / ((last - first) / 1_000)
}

async function bareRate(lab: ReceiverLab, receiver: Receiver): Promise<number> {
  receiver.requests.length = 0
  const args = [receiver.port, receiver.host, posts, atOnce].map(String)
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare-posts-process.ts'), ...args], {
    env: { ...process.env, ...lab.env() },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0 || receiver.requests.length !== posts) throw new Error('the bare posts failed')
  return ratePerSecond(receiver)
}

async function benchHanging({ scene, lab, env }: Bench): Promise<void> {
  say(`alerts to a healthy receiver while ${hanging} receivers hang`)
  const silent = await openSilent()
  for (let index = 0; index < hanging; index += 1) {
    const workspace = index % 2 === 0 ? scene.acme : scene.umbrella
    lab.map(`silent-${index}.bench.test`, silent.port)
    await scene.store(workspace.id, {
      url: `https://silent-${index}.bench.test/`,
      events: ['deadline.warning'],
    })
  }
  const healthy = await lab.receive('healthy.bench.test')
  await scene.store(scene.acme.id, { url: healthy.url, events: ['report.received'] })
  const work = startWorkProcess({ ...env, ...lab.env() })
  const delays: number[] = []
  const tellHanging = () =>
    Promise.all([scene.acme, scene.umbrella].map(({ id }) => scene.tell(id, facts['deadline.warning'])))
  for (let turn = 0; turn < 4; turn += 1) await tellHanging()
  await silent.untilConnected(hanging)
  for (let event = 1; event <= events; event += 1) {
    // the hanging ones never run dry
    if (event % 4 === 0) await tellHanging()
    const startedAt = performance.now()
    await scene.tell(scene.acme.id, facts['report.received'])
    await healthy.wait(event)
    delays.push(performance.now() - startedAt)
    await sleep(100)
  }
  silent.close()
  await work.stop()
  report({
    figure: 'alert_delay_while_100_receivers_hang',
    value: Math.max(...delays),
    unit: 'ms',
    runs: events,
    detail: { p50Ms: round(median(delays)), p95Ms: round(percentile(delays, 95)) },
  })
}

/** Accepts connections and never says a word. */
async function openSilent() {
  const sockets = new Set<Socket>()
  let connections = 0
  const server: Server = createServer((socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    untilConnected: async (count: number) => {
      while (connections < count) await sleep(20)
    },
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
