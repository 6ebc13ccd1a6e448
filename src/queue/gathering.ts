import { setTimeout as sleep } from 'node:timers/promises'
import type { ClaimedJob } from './claim.ts'
import { partOf } from './claim-beside.ts'

/** Jobs of one part that follow each other within this time do not get a run each. */
const closeMs = 500
/** A run of a few jobs costs nearly as much as one of many, and this adds little to the wait for its end. */
const pauseMs = 500
const maxParts = 1_000

type RealTime = { now: () => number; pause: (ms: number) => Promise<unknown> }

/**
 * Lets jobs that can be done in one run gather during a burst: the first of a part of a workspace runs at once, those that follow right
 * behind it wait a moment for each other.
 */
export class Gathering {
  /** When the last run on each part ended. */
  readonly #endedAt = new Map<string, number>()
  /** Real time: the product's clock may be set. */
  readonly #now: () => number
  readonly #pause: (ms: number) => Promise<unknown>

  constructor({ now = () => performance.now(), pause = sleep }: Partial<RealTime> = {}) {
    this.#now = now
    this.#pause = pause
  }

  async wait(job: ClaimedJob): Promise<void> {
    const endedAt = this.#endedAt.get(keyOf(job) ?? '')
    if (endedAt !== undefined && this.#now() - endedAt < closeMs) await this.#pause(pauseMs)
  }

  /** A run has ended. */
  note(job: ClaimedJob): void {
    const key = keyOf(job)
    if (key === undefined) return
    if (this.#endedAt.size >= maxParts) this.#endedAt.clear()
    this.#endedAt.set(key, this.#now())
  }
}

function keyOf(job: ClaimedJob): string | undefined {
  const part = partOf(job)
  return part && `${job.kind} ${part.value}`
}
