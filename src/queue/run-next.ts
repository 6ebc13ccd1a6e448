import type { Logger } from 'pino'
import type { Db } from '../database/connection.ts'
import { knownKeys } from '../contract/known-keys.ts'
import { jobKinds, waitOf, waits, type JobKind, type JobPayload, type Wait } from '../jobs.ts'
import type { Clock } from '../platform/clock.ts'
import type { Semaphore } from '../platform/concurrency/semaphore.ts'
import { isSessionLost, isStoreBusy } from '../platform/postgres/store-away.ts'
import { claimBeside } from './claim-beside.ts'
import { claimJob, type ClaimedJob, type ClaimRound } from './claim.ts'
import type { Gathering } from './gathering.ts'
import type { JobOutcome, ObserveJob } from './metrics.ts'
import { completeJobs, failJob, postponeJob, recoverJobs, returnJob, type AbandonedJob } from './settle.ts'

/** What each kind of job does. A task may run twice and must change nothing the second time. */
export type Tasks = {
  [K in JobKind]: {
    run: (payload: JobPayload[K]) => Promise<void>
    /** Several that wait together, in one run (`together` in jobs.ts). */
    runTogether?: (payloads: JobPayload[K][]) => Promise<void>
    /** After the last attempt failed: store the failure where a person will see it. */
    giveUp?: (payload: JobPayload[K], reason: string) => Promise<void>
  }
}

/** One process that works on the queue. */
export type Worker = {
  db: Db
  /** Sessions of a pool with `byIndexes`: the queue is nearly empty most of the time and thousands of jobs long at others. */
  queue: Db
  now: Clock
  log: Logger
  tasks: Tasks
  /** Names this process in leases. */
  name: string
  /** Called after every run. */
  observeJob?: ObserveJob
}

/** A worker at its next run. */
type Runner = Worker & {
  except: JobKind[]
  ignoreBackoff: boolean
  round: ClaimRound
  /** Ids of the jobs under way here; only their leases are kept. */
  running: Set<number>
  onClaimed?: () => void
  gathering?: Gathering
  /** Jobs that gather others take none, nor do those that wait for hosts of others. */
  semaphore?: Semaphore
  /** What is claimed and waits for no host: the rest is left to other processes. Without one there is no bound. */
  working?: Semaphore
  /** Without one there is no bound. */
  waiting?: Readonly<Record<Wait, Semaphore>>
}

type Done = { kind: JobKind; jobs: number }

/** Claims and runs one job, with those that go together with it. Returns what ran, or undefined when none was due. */
export async function runNext(runner: Runner): Promise<Done | undefined> {
  const endWorking = runner.working?.tryBegin()
  if (endWorking === null) return undefined
  const places = waits.map((wait) => ({ wait, end: runner.waiting?.[wait].tryBegin() }))
  try {
    const full = places.filter(({ end }) => end === null).map(({ wait }) => wait)
    const job = await claimNext(runner, full)
    if (job === undefined) return undefined
    const wait = waitOf(job.kind)
    if (wait !== undefined) endWorking?.()
    for (const place of places) if (place.wait !== wait) place.end?.()
    return await runClaimed(runner, job)
  } finally {
    endWorking?.()
    for (const { end } of places) end?.()
  }
}

/** Takes none that would wait where every place is taken. */
function claimNext(
  { queue, now, name, except, ignoreBackoff, round }: Runner,
  full: readonly Wait[],
): Promise<ClaimedJob | undefined> {
  const left = knownKeys(jobKinds).filter((kind) => full.some((wait) => wait === waitOf(kind)))
  return claimJob(queue, { now: now(), worker: name, except: [...except, ...left], ignoreBackoff, round })
}

async function runClaimed(runner: Runner, job: ClaimedJob): Promise<Done> {
  const { queue, now, name } = runner
  runner.onClaimed?.()
  const startedAt = performance.now()
  runner.running.add(job.id)
  const jobs = [job]
  try {
    await runner.gathering?.wait(job)
    jobs.push(...(await claimBeside(queue, job, { now: now(), worker: name })))
    for (const { id } of jobs) runner.running.add(id)
    const work = () => runTask(runner.tasks, jobs)
    const { semaphore } = runner
    const failures = await (semaphore === undefined || waitOf(job.kind) !== undefined
      ? work()
      : semaphore.run(work))
    const done = jobs.filter((each) => !failures.has(each))
    if (done.length > 0) await completeJobs(queue, done, name)
    report(runner, done, { outcome: 'done', startedAt })
    for (const [each, error] of failures) await fail(runner, [each], { startedAt, error })
  } catch (error) {
    await fail(runner, jobs, { startedAt, error })
  } finally {
    runner.gathering?.note(job)
    for (const { id } of jobs) runner.running.delete(id)
  }
  return { kind: job.kind, jobs: jobs.length }
}

async function fail(
  runner: Runner,
  jobs: readonly ClaimedJob[],
  { startedAt, error }: { startedAt: number; error: unknown },
): Promise<void> {
  const outcome = isSessionLost(error) || isStoreBusy(error) ? 'store_lost' : 'failed'
  report(runner, jobs, { outcome, startedAt, error })
  for (const each of jobs) await settleFailure(runner, each, error)
}

type Run = { outcome: JobOutcome; startedAt: number; error?: unknown }

/** One line for every job: what, for whom, how long, how it ended. Jobs of one run share its duration. */
function report(
  { log, observeJob }: Worker,
  jobs: readonly ClaimedJob[],
  { outcome, startedAt, error }: Run,
): void {
  const durationMs = Math.round(performance.now() - startedAt)
  for (const { id, kind, payload, attempts: attempt } of jobs) {
    observeJob?.(kind, outcome, durationMs / 1000)
    const line = { job: kind, id, ...subjectOf(payload), attempt, outcome, jobs: jobs.length, durationMs }
    if (outcome === 'done') log.info(line, 'job done')
    else log.error({ ...line, err: error }, 'job failed')
  }
}

/** The ids in a payload say whose job it is; the rest of it may be long. */
const subjectFields = ['workspaceId', 'familyId', 'sbomId', 'tokenId', 'source'] as const

function subjectOf(payload: unknown): Record<string, unknown> {
  const fields = new Map(Object.entries(payload as Record<string, unknown>))
  return Object.fromEntries(
    subjectFields.filter((name) => fields.has(name)).map((name) => [name, fields.get(name)]),
  )
}

/**
 * The payload was written by `enqueue`, whose types tie it to the kind. Of jobs that are done one after the other, those that failed with their
 * errors: the others are still done.
 */
async function runTask(tasks: Tasks, jobs: readonly ClaimedJob[]): Promise<Map<ClaimedJob, unknown>> {
  const failures = new Map<ClaimedJob, unknown>()
  const [first] = jobs
  if (first === undefined) return failures
  const task = tasks[first.kind] as {
    run: (payload: unknown) => Promise<void>
    runTogether?: (payloads: unknown[]) => Promise<void>
  }
  if (jobs.length > 1 && task.runTogether !== undefined) {
    await task.runTogether(jobs.map(({ payload }) => payload))
    return failures
  }
  for (const job of jobs) await task.run(job.payload).catch((error: unknown) => failures.set(job, error))
  return failures
}

async function settleFailure(
  { db, now, tasks, name }: Worker,
  job: ClaimedJob,
  error: unknown,
): Promise<void> {
  const reason = error instanceof Error ? error.message : String(error)
  if (isSessionLost(error)) {
    await giveUp(tasks, await returnJob(db, job, { worker: name, message: reason }))
    return
  }
  if (isStoreBusy(error)) {
    await postponeJob(db, job, { worker: name, message: reason, now: now() })
    return
  }
  const isLast = await failJob(db, job, { worker: name, message: reason, now: now() })
  if (isLast) await giveUp(tasks, [{ kind: job.kind, payload: job.payload, reason }])
}

/** Jobs that will not run again: what a person looks at says so. */
async function giveUp(tasks: Tasks, jobs: readonly AbandonedJob[]): Promise<void> {
  for (const { kind, payload, reason } of jobs) {
    const task = tasks[kind] as { giveUp?: (payload: unknown, reason: string) => Promise<void> }
    await task.giveUp?.(payload, reason)
  }
}

/** Jobs of killed workers run again, or are given up when they have killed too many. */
export async function recover({ db, tasks }: Worker): Promise<void> {
  await giveUp(tasks, await recoverJobs(db))
}
