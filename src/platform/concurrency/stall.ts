import { setImmediate as nextTurn } from 'node:timers/promises'

const maxMs = 20

/** How long work has kept its process from everything else. Asked after each part of it, which takes far less. */
export class Stall {
  #begunAt = performance.now()

  get isLong(): boolean {
    return performance.now() - this.#begunAt > maxMs
  }

  /** Lets other work have its turn. */
  async end(): Promise<void> {
    await nextTurn()
    this.#begunAt = performance.now()
  }
}
