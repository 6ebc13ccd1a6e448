import { Histogram, type Registry } from 'prom-client'
import type { JobKind } from '../jobs.ts'
import type { Deps } from '../platform/deps.ts'
import { addStoredGauges, ageSeconds, prefix } from '../platform/metrics.ts'
import { countJobs } from './count.ts'

/** The queue, by kind of job. */
export function addQueueMetrics(registry: Registry, { db, now, log }: Deps): void {
  addStoredGauges(registry, {
    gauges: {
      jobs: { help: 'Jobs in the queue by kind and state.', labelNames: ['kind', 'state'] },
      oldest_job_age_seconds: {
        help: 'Time since the oldest waiting job of a kind was enqueued; 0 when none waits.',
        labelNames: ['kind'],
      },
    },
    read: () => countJobs(db),
    show: (gauge, kinds) => {
      for (const { kind, waiting, running, failed, oldestWaitingAt } of kinds) {
        for (const [state, count] of Object.entries({ waiting, running, failed }))
          gauge('jobs').set({ kind, state }, count)
        const ageOfOldest = oldestWaitingAt === null ? 0 : ageSeconds(oldestWaitingAt, now())
        gauge('oldest_job_age_seconds').set({ kind }, ageOfOldest)
      }
    },
    log,
  })
}

export type JobOutcome = 'done' | 'failed' | 'store_lost'
export type ObserveJob = (kind: JobKind, outcome: JobOutcome, seconds: number) => void

/** The jobs that this process ran. */
export function addJobMetrics(registry: Registry): ObserveJob {
  const durations = new Histogram({
    name: `${prefix}job_duration_seconds`,
    help: 'How long runs of jobs took, by kind and outcome.',
    labelNames: ['kind', 'outcome'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 300, 1_800],
    registers: [registry],
  })
  return (kind, outcome, seconds) => durations.observe({ kind, outcome }, seconds)
}
