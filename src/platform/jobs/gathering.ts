import { setTimeout as sleep } from 'node:timers/promises'
import { togetherBy } from '../../jobs.ts'
import type { ClaimedJob } from './claim.ts'

/** While jobs of one part follow each other within this, they come faster than one run each pays. */
const closeMs = 500
/** The more there were in the last run, the longer the next ones gather. */
const pausePerJobMs = 25
const shortestPauseMs = 200
const longestPauseMs = 500
const mostParts = 1_000

type RealTime = { now: () => number; pause: (ms: number) => Promise<unknown> }

/**
 * Lets jobs that can be done in one run gather, where they come one upon the other: the first of a part of a workspace runs at once, those
 * that follow right behind it wait a moment for each other.
 */
export class Gathering {
  /** The last run on each part. */
  readonly #last = new Map<string, { endedAt: number; jobs: number }>()
  /** Real time: the product's clock may be set. */
  readonly #now: () => number
  readonly #pause: (ms: number) => Promise<unknown>

  constructor({ now = () => performance.now(), pause = sleep }: Partial<RealTime> = {}) {
    this.#now = now
    this.#pause = pause
  }

  async wait(job: ClaimedJob): Promise<void> {
    const last = this.#last.get(partOf(job) ?? '')
    if (last === undefined || this.#now() - last.endedAt >= closeMs) return
    await this.#pause(Math.min(Math.max(shortestPauseMs, last.jobs * pausePerJobMs), longestPauseMs))
  }

  /** A run with so many jobs has ended. */
  note(job: ClaimedJob, jobs: number): void {
    const part = partOf(job)
    if (part === undefined) return
    if (this.#last.size >= mostParts) this.#last.clear()
    this.#last.set(part, { endedAt: this.#now(), jobs })
  }
}

function partOf({ kind, payload }: ClaimedJob): string | undefined {
  const name = togetherBy(kind)
  if (name === undefined || typeof payload !== 'object' || payload === null) return undefined
  return `${kind} ${String((payload as Record<string, unknown>)[name])}`
}
