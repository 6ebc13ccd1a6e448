import { waits } from '../jobs.ts'
import { Semaphore } from '../platform/concurrency/semaphore.ts'
import { startRound } from './claim.ts'
import { Gathering } from './gathering.ts'
import { keepLeases } from './keep-leases.ts'
import { recover, runNext, type Worker } from './run-next.ts'
import { releaseJobs } from './settle.ts'
import { SleepingLanes } from './sleeping-lanes.ts'

export type RunningWorker = { stop: () => Promise<void>; wake: () => void }

/** While one gathers, another works. */
const lanesOfTurn = 2
/** Jobs that wait for hosts of others, of each kind of wait, beside those that work. */
const maxWaiting = 4
const recoverMs = 3_000

/** Runs the jobs of the queue until stopped, `concurrency` of them at a time and some that wait for hosts of others beside them. `wake` looks for work at once, but only polling is relied on. */
export function startWorker(worker: Worker, { concurrency }: { concurrency: number }): RunningWorker {
  let isStopping = false
  const running = new Set<number>()
  const round = startRound()
  const lanes = new SleepingLanes()
  const wake = () => lanes.call()
  const gathering = new Gathering()
  const semaphore = new Semaphore(concurrency)
  const working = new Semaphore(concurrency * lanesOfTurn)
  const waiting = { minutes: new Semaphore(maxWaiting), hours: new Semaphore(maxWaiting) }
  const lane = async () => {
    while (!isStopping) {
      try {
        const done = await runNext({
          ...worker,
          except: [],
          ignoreBackoff: false,
          round,
          running,
          onClaimed: () => lanes.wakeOne(),
          gathering,
          semaphore,
          working,
          waiting,
        })
        if (done === undefined) await lanes.sleep()
      } catch (error) {
        worker.log.error({ err: error }, 'the queue could not be reached')
        await lanes.sleep()
      }
    }
  }
  const report = (error: unknown) =>
    worker.log.error({ err: error }, 'jobs of killed workers could not be taken back')
  const endRenewing = keepLeases(worker, running)
  const recovering = setInterval(() => void recover(worker).then(wake).catch(report), recoverMs)
  const ends = Array.from({ length: concurrency * lanesOfTurn + waits.length * maxWaiting }, lane)
  return {
    wake,
    stop: async () => {
      isStopping = true
      clearInterval(recovering)
      lanes.wakeAll()
      await Promise.race([Promise.all(ends), new Promise((resolve) => setTimeout(resolve, 8_000).unref())])
      endRenewing()
      await releaseJobs(worker.db, worker.name).catch((error: unknown) =>
        worker.log.warn({ err: error }, 'jobs could not be given back; they run again when their lease ends'),
      )
    },
  }
}
