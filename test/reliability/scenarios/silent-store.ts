import { setTimeout as sleep } from 'node:timers/promises'
import { startService, type Service } from '../../support/service.ts'
import type { HistoryFigures } from '../../support/upload-history.ts'
import { openExternalLab, type RemoteStore } from './store-lab.ts'
import { provisionTokens, startUploads, type UploadLoad } from './upload-load.ts'
import { fieldOf } from '../../support/read-as.ts'

export type SilentStoreFigures = HistoryFigures & {
  silences: number
  /** Answers outside the contract's shape, without `Retry-After`, or missing. */
  badAnswers: string[]
  /** From when existing connections carry nothing any more to the acknowledgement of an upload sent after it. */
  longestOutageMs: number
  /** The same until a job enqueued after it is done. */
  longestJobOutageMs: number
  /** From when a fully silent host answers again. */
  longestReturnMs: number
  /** The slowest answer of `/readyz` meanwhile. */
  slowestProbeMs: number
  /** How long `/readyz` called a store ready that could read but not commit. */
  uncommittedSeenMs: number
  /** From SIGTERM to the exit of the process while the store is silent. */
  stopMs: number
}

type SilentStoreOrder = {
  silences: number
  /** Pause of a sender after an upload. */
  pauseMs?: number
}

const patienceMs = 120_000
const silentHostMs = 15_000

/**
 * The database host falls silent under load: packets of every connection are lost while new sessions work; then those fail too, for a
 * while; then it returns but every commit waits for an absent standby.
 */
export async function runSilentStore(order: SilentStoreOrder): Promise<SilentStoreFigures> {
  const store = await openExternalLab()
  try {
    const service = await startService({ env: store.env, readyWithinMs: patienceMs })
    try {
      return await silenceUnderLoad(store, service, order)
    } finally {
      store.speak()
      await service.stop()
    }
  } finally {
    await store.close()
  }
}

async function silenceUnderLoad(
  store: RemoteStore,
  service: Service,
  { silences, pauseMs }: SilentStoreOrder,
): Promise<SilentStoreFigures> {
  const tokens = await provisionTokens(service, 2_000 + 500 * silences)
  const load = startUploads({ baseUrls: [service.baseUrl], tokens, senders: 4, pauseMs })
  const probes = watchReadiness(service.baseUrl)
  await load.untilAcknowledged(patienceMs)
  const outages: Outage[] = []
  for (let turn = 0; turn < silences; turn += 1) {
    outages.push(await untilBack(load, store, () => store.silence()))
  }
  store.silence({ alsoNew: true })
  await sleep(silentHostMs)
  const back = await untilBack(load, store, () => store.speak())
  await load.stop()
  const figures = await load.history.compare(store.query)
  const uncommittedSeenMs = await withoutStandby(store, service.baseUrl)
  const slowestProbeMs = await probes.stop()
  store.silence({ alsoNew: true })
  const stopMs = await timeOf(() => service.stop())
  return {
    ...figures,
    silences,
    badAnswers: load.history.badAnswers,
    longestOutageMs: Math.max(...outages.map(({ uploadMs }) => uploadMs)),
    longestJobOutageMs: Math.max(...outages.map(({ jobMs }) => jobMs), back.jobMs),
    longestReturnMs: back.uploadMs,
    slowestProbeMs,
    uncommittedSeenMs,
    stopMs,
  }
}

type Outage = { uploadMs: number; jobMs: number }

async function untilBack(load: UploadLoad, store: RemoteStore, disturb: () => void): Promise<Outage> {
  const before = await newestMatched(store)
  const startedAt = performance.now()
  disturb()
  await load.untilAcknowledged(patienceMs)
  const uploadMs = Math.round(performance.now() - startedAt)
  while ((await newestMatched(store)) <= before) await sleep(50)
  return { uploadMs, jobMs: Math.round(performance.now() - startedAt) }
}

/** Product versions are numbered in sending order. */
async function newestMatched(store: RemoteStore): Promise<number> {
  const [row] = await store.query(
    `select coalesce(max(v.name::int), 0) as file from sbom s join product_version v on v.id = s.version_id where s.status = 'matched'`,
  )
  return Number(row?.['file'])
}

type Readiness = { status: number; ms: number; writable: boolean }

async function readiness(baseUrl: string): Promise<Readiness> {
  const startedAt = performance.now()
  const answer = await fetch(`${baseUrl}/readyz`)
  const writable = fieldOf(await answer.json(), 'writable') === true
  return { status: answer.status, ms: performance.now() - startedAt, writable }
}

/** Polls, as an orchestrator does. */
function watchReadiness(baseUrl: string): { stop: () => Promise<number> } {
  const stopping = new AbortController()
  let slowestMs = 0
  const ask = async () => {
    while (!stopping.signal.aborted) {
      slowestMs = Math.max(slowestMs, (await readiness(baseUrl)).ms)
      await sleep(250)
    }
  }
  const asking = ask()
  return {
    stop: async () => {
      stopping.abort()
      await asking
      return Math.round(slowestMs)
    },
  }
}

/** How long it takes to detect that a store waiting for a standby accepts no writes; and then that it does again. */
async function withoutStandby(store: RemoteStore, baseUrl: string): Promise<number> {
  await store.query(`alter system set synchronous_standby_names = 'nobody'`)
  await store.query('select pg_reload_conf()')
  const seenMs = await timeOf(async () => {
    while ((await readiness(baseUrl)).writable) await sleep(100)
  })
  await store.query('alter system reset synchronous_standby_names')
  await store.query('select pg_reload_conf()')
  while ((await readiness(baseUrl)).status !== 200) await sleep(100)
  return seenMs
}

async function timeOf(act: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await act()
  return Math.round(performance.now() - startedAt)
}
