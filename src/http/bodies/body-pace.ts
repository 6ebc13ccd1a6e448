import { ServiceError } from '../../contract/errors.ts'

/** How fast a body has to come. */
export type PaceRule = {
  /** Nobody is judged earlier, and later always by this much of the past. */
  windowMs: number
  bytesPerWindow: number
  checkEveryMs: number
}

/** Slower than any link that could deliver a real file within the time of a request; a link that stalls for seconds is not cut. */
export const paceRule: PaceRule = { windowMs: 10_000, bytesPerWindow: 40 * 1024, checkEveryMs: 2_500 }

/** The pace of one body: what had come at each look, over one window. */
export class BodyPace {
  readonly #rule: PaceRule
  readonly #looks: { atMs: number; sizeBytes: number }[]

  constructor(rule: PaceRule, startedAtMs: number) {
    this.#rule = rule
    this.#looks = [{ atMs: startedAtMs, sizeBytes: 0 }]
  }

  /** Whether too little arrived in the last window; call it at regular looks. */
  isTooSlow(sizeBytes: number, atMs: number): boolean {
    this.#looks.push({ atMs, sizeBytes })
    const windowStart = atMs - this.#rule.windowMs
    // the newest look that is a window old, and none before it
    while (this.#looks[1] !== undefined && this.#looks[1].atMs <= windowStart) this.#looks.shift()
    const [first] = this.#looks
    if (first === undefined || first.atMs > windowStart) return false
    return sizeBytes - first.sizeBytes < this.#rule.bytesPerWindow
  }
}

/** Rejects, with `timeout`, when a body comes too slowly; it checks until it is disposed of. It need not be awaited. */
export type WatchedPace = Disposable & { tooSlow: Promise<never> }

type Paced = { pace: PaceRule; isScarce: boolean }

/** Watches the pace of a body, which matters only while space for bodies is scarce. `sizeBytes`: how much of it has arrived. */
export function watchPace(bodies: Paced, sizeBytes: () => number): WatchedPace {
  const rule = bodies.pace
  const { promise: tooSlow, reject } = Promise.withResolvers<never>()
  tooSlow.catch(() => undefined)
  const pace = new BodyPace(rule, performance.now())
  const looking = setInterval(() => {
    if (pace.isTooSlow(sizeBytes(), performance.now()) && bodies.isScarce)
      reject(new ServiceError('timeout', { message: 'The body arrives too slowly.' }))
  }, rule.checkEveryMs)
  return { tooSlow, [Symbol.dispose]: () => clearInterval(looking) }
}
