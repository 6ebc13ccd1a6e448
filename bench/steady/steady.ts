import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { residentMegabytes } from '../../test/reliability/scenarios/processes.ts'
import { startService, type Service } from '../../test/support/service.ts'
import { startWorkProcess, type WorkProcess } from '../../test/support/work-process.ts'
import { createStore } from '../external-store.ts'
import { importFindings } from '../findings.ts'
import { inspectable, liveMegabytes } from './heap.ts'
import type { Laboratory } from '../laboratory.ts'
import { median, report, round, say } from '../report.ts'
import { untilAllMatched } from '../small-uploads.ts'
import { provisionLoad, sendSteadily } from './load.ts'

const minutes = Number(process.env['BENCH_MINUTES'] ?? 10)
const perSecond = Number(process.env['BENCH_RATE'] ?? 20)
const warmUpMinutes = Math.min(2, minutes)
const sampleEveryMs = 10_000

/** What is measured of one process, or of the parser children of one. */
type Watched = { name: string; pids: () => number[]; megabytes: number[] }

/**
 * Memory of two `serve` and two `work` processes on one store while uploads arrive at a constant rate: families, versions and most components
 * repeat, so that SBOMs are replaced. Resident memory every ten seconds after two minutes of warming up; what is alive after a full collection,
 * before and after. BENCH_MINUTES and BENCH_RATE (uploads a second) change its size.
 */
export async function benchSteady(laboratory: Laboratory): Promise<void> {
  const store = await createStore(laboratory, 'steady')
  const env = { DATABASE_URL: store.url, LOG_LEVEL: 'warn', ...inspectable }
  const living: (Service | WorkProcess)[] = []
  try {
    const services = [await startService({ env, role: 'serve' }), await startService({ env, role: 'serve' })]
    living.push(...services)
    const workers = [startWorkProcess(env), startWorkProcess(env)]
    living.push(...workers)
    await importFindings(
      { service: services[0] as Service, folder: laboratory.folder },
      { first: 0, count: 2_000, every: 4 },
    )
    await measure(store.url, services, workers)
  } finally {
    await Promise.all(living.map(({ stop }) => stop()))
    await store.drop()
  }
}

async function measure(url: string, services: Service[], workers: WorkProcess[]): Promise<void> {
  const places = placesOf(services, workers)
  const tokens = await provisionLoad(services[0] as Service, (minutes + warmUpMinutes) * 60 * perSecond)
  const live = async () => {
    await untilMatchedIn(url)
    const processes = [...services, ...workers]
    const pids = places.flatMap((place) => place.pids())
    return liveMegabytes(pids, () => processes.map(({ output }) => output()).join('\n'))
  }
  say(`${warmUpMinutes} minutes to warm up`)
  const first = await sendSteadily(services, { tokens, perSecond, first: 0, minutes: warmUpMinutes })
  const liveBefore = await live()
  say(`${minutes} minutes of ${perSecond} uploads a second`)
  const sampling = setInterval(() => sample(places), sampleEveryMs)
  const sent = await sendSteadily(services, { tokens, perSecond, first, minutes }).finally(() =>
    clearInterval(sampling),
  )
  const liveAfter = await live()
  for (const place of places) reportPlace(place, { rate: sent / (minutes * 60), liveBefore, liveAfter })
}

async function untilMatchedIn(url: string): Promise<void> {
  const sql = new pg.Client({ connectionString: url })
  await sql.connect()
  try {
    await untilAllMatched({ sql })
  } finally {
    await sql.end()
  }
}

function placesOf(services: readonly Service[], workers: readonly WorkProcess[]): Watched[] {
  return [
    ...services.flatMap(({ pid }, index) => [
      { name: `serve_${index + 1}`, pids: () => [pid()], megabytes: [] },
      { name: `parsers_of_serve_${index + 1}`, pids: () => childrenOf(pid()), megabytes: [] },
    ]),
    ...workers.map(({ pid }, index) => ({ name: `work_${index + 1}`, pids: () => [pid], megabytes: [] })),
  ]
}

/** proc(5), `/proc/<pid>/task/<tid>/children`. */
function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
}

function sample(places: readonly Watched[]): void {
  for (const { pids, megabytes } of places)
    megabytes.push(pids().reduce((sum, pid) => sum + residentMegabytes(pid).now, 0))
}

type Measured = { rate: number; liveBefore: Map<number, number>; liveAfter: Map<number, number> }

function reportPlace({ name, pids, megabytes }: Watched, { rate, liveBefore, liveAfter }: Measured): void {
  const third = Math.ceil(megabytes.length / 3)
  const liveOf = (live: Map<number, number>) =>
    round(pids().reduce((sum, pid) => sum + (live.get(pid) ?? 0), 0))
  report({
    figure: `steady_memory_of_${name}`,
    value: slope(megabytes) * (60_000 / sampleEveryMs),
    unit: 'MB/min',
    runs: megabytes.length,
    detail: {
      minutes,
      uploadsPerSecond: round(rate),
      firstThirdMB: round(median(megabytes.slice(0, third))),
      lastThirdMB: round(median(megabytes.slice(-third))),
      liveBeforeMB: liveOf(liveBefore),
      liveAfterMB: liveOf(liveAfter),
    },
  })
}

/** Theil and Sen: the median of the slopes between every two samples, so that a peak counts little. */
function slope(values: readonly number[]): number {
  return median(
    values.flatMap((value, index) =>
      values.slice(index + 1).map((later, distance) => (later - value) / (distance + 1)),
    ),
  )
}
