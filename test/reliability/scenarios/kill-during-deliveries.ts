import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../../src/database/connection.ts'
import { facts, sceneKeys, type AlertScene } from '../../alerts/alert-scene.ts'
import type { Receiver } from '../../support/receivers.ts'
import { startWorkProcess, type WorkProcess } from '../../support/work-process.ts'
import { openReceivers, withAlertLab } from './alert-lab.ts'
import type { Outcome } from './outcome.ts'

type Order = {
  db: Db
  /** Store settings for the processes. */
  storeEnv: Record<string, string>
  kills: number
  /** Per round. */
  deliveries: number
  /** Work processes on one store; one of them is killed. */
  processes: number
}

/** What disturbs a round. */
type Round = {
  scene: AlertScene
  receivers: Receiver[]
  env: Record<string, string>
  order: Order
  round: number
}

const hosts = 10

/**
 * In each round, deliveries are pending and one of the sending processes is killed in the middle, then restarted. What receivers saw is
 * compared with the records: every event arrives, retries have the same id and do not exceed the deliveries under way, and nothing recorded
 * before the kill is sent after it.
 */
export async function killDuringDeliveries(order: Order): Promise<Outcome> {
  return withAlertLab(order.db, async (scene, lab) => {
    const receivers = await openReceivers(scene, lab, {
      name: 'killed',
      count: hosts,
      events: ['incident.opened'],
      // slow enough that posts are under way whenever the kill comes
      answering: (_request, response) => {
        setTimeout(() => response.writeHead(204).end(), 40)
      },
    })
    const env = { ...order.storeEnv, ...lab.env(), ENCRYPTION_KEYS: sceneKeys, LOG_LEVEL: 'warn' }
    const failures: string[] = []
    let repeats = 0
    for (let round = 0; round < order.kills; round += 1) {
      const seen = await killOnce({ scene, receivers, env, order, round })
      failures.push(...seen.failures)
      repeats += seen.repeats
    }
    return { figures: { kills: order.kills, deliveries: order.kills * order.deliveries, repeats }, failures }
  })
}

async function killOnce({ scene, receivers, env, order, round }: Round) {
  const { db, deliveries, processes } = order
  for (const receiver of receivers) receiver.requests.length = 0
  for (let event = 0; event < deliveries / hosts; event += 1)
    await scene.tell(scene.acme.id, facts['incident.opened'])
  const running: WorkProcess[] = Array.from({ length: processes }, () => startWorkProcess(env))
  const arrived = () => receivers.reduce((sum, { requests }) => sum + requests.length, 0)
  const killAt = 20 + ((round * 37) % Math.max(1, deliveries - 60))
  while (arrived() < killAt) await sleep(2)
  const [victim] = running
  const recorded = await recordedIds(db)
  await victim?.kill()
  const seenBefore = receivers.flatMap(({ requests }) => requests).length
  running[0] = startWorkProcess(env)
  await scene.untilAllSent()
  await Promise.all(running.map(({ stop }) => stop()))
  const sent = receivers
    .flatMap(({ requests }) => requests)
    .map(({ headers }) => String(headers['service-event-id']).slice(4))
  const distinct = new Set(sent)
  const failures: string[] = []
  if (distinct.size !== deliveries) failures.push(`round ${round}: ${distinct.size} of ${deliveries} arrived`)
  const counts = Map.groupBy(sent, (id) => id)
  for (const [id, times] of counts) {
    if (times.length > 2) failures.push(`round ${round}: one was sent ${times.length} times`)
    if (times.length > 1 && recorded.has(id)) failures.push(`round ${round}: a recorded one was sent again`)
  }
  const unsettled = (await scene.deliveries()).filter(({ state }) => state !== 'sent')
  for (const { state, reason, attempts } of unsettled)
    failures.push(`round ${round}: ${state} at attempt ${attempts}, ${reason ?? 'no reason'}`)
  if (seenBefore >= deliveries) failures.push(`round ${round}: the kill came too late`)
  return { failures, repeats: sent.length - distinct.size }
}

async function recordedIds(db: Db): Promise<Set<string>> {
  const rows = await db.selectFrom('alert_delivery').select('id').where('state', '=', 'sent').execute()
  return new Set(rows.map(({ id }) => id))
}
