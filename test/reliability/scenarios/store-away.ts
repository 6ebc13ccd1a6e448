import { setTimeout as sleep } from 'node:timers/promises'
import { startService, type Service } from '../../support/service.ts'
import type { HistoryFigures } from '../../support/upload-history.ts'
import { openEmbeddedLab, openExternalLab, type DisturbedStore } from './store-lab.ts'
import { provisionTokens, startUploads } from './upload-load.ts'

export type StoreAwayOrder = {
  /** Who runs the server: the service, or somebody else, reachable over TCP. */
  store: 'embedded' | 'external'
  /** How often every session is terminated. */
  terminations: number
  /** How often one server process is killed. */
  backendKills: number
  /** How often the server crashes and is restarted by whoever runs it. */
  crashes: number
  /** How often it is stopped cleanly and restarted. */
  restarts: number
  /** How often the network is cut; `external` only. */
  cuts: number
  senders: number
  /** Pause of a sender after an upload. */
  pauseMs?: number
}

export type StoreAwayFigures = HistoryFigures & {
  /** Answers of the upload endpoint by status, or by how the connection ended without one. */
  answers: Record<string, number>
  /** Answers outside the contract's shape, without `Retry-After`, or missing. */
  badAnswers: string[]
  /** The longest time from a disturbance to the acknowledgement of an upload sent after it. */
  longestOutageMs: number
  /** Whether the HTTP process and its parser child are still the original ones. */
  isSameProcess: boolean
  /** The maximum of sessions listening for jobs, and their number at the end. */
  maxListeners: number
  listenersAtEnd: number
  /** Sessions of the service a while after the last upload: none may leak. */
  sessionsAtRest: number
}

/** How long the scenario waits for the service to return; the figure shows the actual time. */
const patienceMs = 120_000
const listening = `application_name = 'sbom-monitor listen'`

/** Uploads go on while the store is repeatedly disturbed; afterwards the history is compared with it (goal 5). */
export async function runStoreAway(order: StoreAwayOrder): Promise<StoreAwayFigures> {
  const store = await (order.store === 'embedded' ? openEmbeddedLab() : openExternalLab())
  try {
    const service = await startService({
      env: { ...store.env, LOG_LEVEL: 'info' },
      readyWithinMs: patienceMs,
    })
    try {
      return await disturbUploads(store, service, order)
    } finally {
      await service.stop()
    }
  } finally {
    await store.close()
  }
}

async function disturbUploads(
  store: DisturbedStore,
  service: Service,
  order: StoreAwayOrder,
): Promise<StoreAwayFigures> {
  const disturbances = planDisturbances(store, order)
  const tokens = await provisionTokens(service, 2_000 + 400 * disturbances.length)
  const load = startUploads({
    baseUrls: [service.baseUrl],
    tokens,
    senders: order.senders,
    pauseMs: order.pauseMs,
  })
  let longestOutageMs = 0
  let maxListeners = 0
  await load.untilAcknowledged(patienceMs)
  for (const disturb of disturbances) {
    const startedAt = performance.now()
    await disturb()
    await load.untilAcknowledged(patienceMs)
    longestOutageMs = Math.max(longestOutageMs, performance.now() - startedAt)
    maxListeners = Math.max(maxListeners, await untilListening(store))
  }
  await load.stop()
  const { history } = load
  return {
    ...(await history.compare(store.query)),
    answers: Object.fromEntries(history.answers),
    badAnswers: history.badAnswers,
    longestOutageMs: Math.round(longestOutageMs),
    isSameProcess: isAlive(service.pid()) && service.output().split('"parser started"').length === 2,
    maxListeners,
    listenersAtEnd: await countSessions(store, listening),
    sessionsAtRest: await sessionsAtRest(store),
  }
}

function planDisturbances(store: DisturbedStore, order: StoreAwayOrder): (() => Promise<void>)[] {
  const times = (count: number, disturb: () => Promise<void>) => Array.from({ length: count }, () => disturb)
  return [
    ...times(order.terminations, () => store.terminateAll()),
    ...times(order.cuts, () => store.cut()),
    ...times(order.backendKills, () => store.killBackend()),
    ...times(order.crashes, () => store.restart('immediate')),
    ...times(order.restarts, () => store.restart('fast')),
  ]
}

async function countSessions(store: DisturbedStore, condition: string): Promise<number> {
  const [row] = await store.query(`select count(*)::int as count from pg_stat_activity where ${condition}`)
  return Number(row?.['count'])
}

async function untilListening(store: DisturbedStore): Promise<number> {
  const until = performance.now() + patienceMs
  for (;;) {
    const listeners = await countSessions(store, listening)
    if (listeners > 0) return listeners
    if (performance.now() > until) throw new Error('nobody listens for jobs any more')
    await sleep(20)
  }
}

/** Pools close idle sessions after ten seconds; polling every second keeps one or two. */
async function sessionsAtRest(store: DisturbedStore): Promise<number> {
  const all = `application_name like 'sbom-monitor%'`
  let fewest = await countSessions(store, all)
  for (const until = performance.now() + 15_000; performance.now() < until && fewest > 8;) {
    await sleep(200)
    fewest = Math.min(fewest, await countSessions(store, all))
  }
  return fewest
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
