import { setTimeout as sleep } from 'node:timers/promises'
import { startService, type Service } from '../../support/service.ts'
import type { HistoryFigures } from '../../support/upload-history.ts'
import { openEmbeddedLab, type DisturbedStore } from './store-lab.ts'
import { provisionTokens, startUploads } from './upload-load.ts'

export type RecoveryFigures = HistoryFigures & {
  /** From the kill to the first `ready`, including the start of the new process; maximum over all kills. */
  longestReadyMs: number
  /** From the kill until the last job running then has run again; maximum over all kills. */
  longestOrphanMs: number
}

type RecoveryOrder = {
  kills: number
  senders: number
  /** Pause of a sender after an upload; `leasePauseMs`: while waiting for the lease of interrupted jobs. */
  pauseMs?: number
  leasePauseMs?: number
}

const patienceMs = 120_000

/** Kills the whole service while jobs are running, restarts it, and watches the interrupted jobs (goal 4). */
export async function runRecovery({
  kills,
  senders,
  pauseMs = 0,
  leasePauseMs = pauseMs,
}: RecoveryOrder): Promise<RecoveryFigures> {
  const store = await openEmbeddedLab()
  try {
    const service = await startService({
      env: { ...store.env, LOG_LEVEL: 'error' },
      readyWithinMs: patienceMs,
    })
    try {
      const tokens = await provisionTokens(service, 4_000 * (kills + 1))
      const load = startUploads({ baseUrls: [service.baseUrl], tokens, senders, pauseMs })
      let longestReadyMs = 0
      let longestOrphanMs = 0
      for (let kill = 0; kill < kills; kill += 1) {
        await load.untilAcknowledged(patienceMs)
        await pauseWithJobs(store, service)
        const killedAt = performance.now()
        await service.kill()
        const orphans = await runningJobs(store)
        await service.restart()
        longestReadyMs = Math.max(longestReadyMs, performance.now() - killedAt)
        load.pace(leasePauseMs)
        await untilRunAgain(store, orphans)
        load.pace(pauseMs)
        if (orphans.length > 0) longestOrphanMs = Math.max(longestOrphanMs, performance.now() - killedAt)
      }
      await load.stop()
      return {
        ...(await load.history.compare(store.query)),
        longestReadyMs: Math.round(longestReadyMs),
        longestOrphanMs: Math.round(longestOrphanMs),
      }
    } finally {
      await service.stop()
    }
  } finally {
    await store.close()
  }
}

async function runningJobs(store: DisturbedStore): Promise<number[]> {
  const rows = await store.query(`select id::int as id from job where state = 'running'`)
  return rows.map(({ id }) => Number(id))
}

/** Pauses the service in the middle of a job: one that only was seen running may end before the kill. */
async function pauseWithJobs(store: DisturbedStore, service: Service): Promise<void> {
  const atWork = `select from pg_stat_activity
    where state = 'active' and backend_type = 'client backend' and pid <> pg_backend_pid()`
  for (const until = performance.now() + patienceMs; performance.now() < until;) {
    process.kill(service.pid(), 'SIGSTOP')
    // a statement that is under way may be the end of the job
    if ((await store.query(atWork)).length === 0 && (await runningJobs(store)).length > 0) return
    process.kill(service.pid(), 'SIGCONT')
    await sleep(10)
  }
  throw new Error('no job was seen running')
}

/** A finished job is no longer in the queue. */
async function untilRunAgain(store: DisturbedStore, orphans: number[]): Promise<void> {
  if (orphans.length === 0) return
  const left = `select id from job where id in (${orphans.join()})`
  const until = performance.now() + patienceMs
  while ((await store.query(left)).length > 0) {
    if (performance.now() > until) throw new Error('a job of a killed process did not run again')
    await sleep(100)
  }
}
