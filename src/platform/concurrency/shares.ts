/** Who asks for a place. */
type Sharer = { personId: string; workspaceId: string }

/** How many places one person, one workspace and all of them together may have. */
export type ShareBounds = { person: number; workspace: number; process: number }

/** Whose places are all taken. */
export type FullShare = keyof ShareBounds

/** Requests of one person that wait for a place; each is looked at whenever one becomes free. */
const maxWaiting = 250

/** Gives a place back; a second call does nothing. */
type GiveBack = () => void

/** Slots of this process for expensive work, so that nobody uses up those of others. */
export class Shares {
  readonly bounds: ShareBounds
  readonly #taken = new Map<string, number>()
  #waiting: (() => void)[] = []
  #all = 0

  constructor(bounds: ShareBounds) {
    this.bounds = bounds
  }

  /** A place at once, or whose places are all taken. */
  take({ personId, workspaceId }: Sharer): GiveBack | FullShare {
    const keys = { person: `person ${personId}`, workspace: `workspace ${workspaceId}` }
    if (this.#count(keys.person) >= this.bounds.person) return 'person'
    if (this.#count(keys.workspace) >= this.bounds.workspace) return 'workspace'
    if (this.#all >= this.bounds.process) return 'process'
    this.#add(keys.person, 1)
    this.#add(keys.workspace, 1)
    this.#all += 1
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#add(keys.person, -1)
      this.#add(keys.workspace, -1)
      this.#all -= 1
      const woken = this.#waiting
      this.#waiting = []
      for (const wake of woken) wake()
    }
  }

  /** The same, after waiting for a place for some time; at once where too many of the person's wait already. */
  async await(sharer: Sharer, withinMs: number): Promise<GiveBack | FullShare> {
    const taken = this.take(sharer)
    const waiting = `waiting ${sharer.personId}`
    if (typeof taken === 'function' || this.#count(waiting) >= maxWaiting) return taken
    this.#add(waiting, 1)
    try {
      return await this.#waitFor(sharer, withinMs)
    } finally {
      this.#add(waiting, -1)
    }
  }

  async #waitFor(sharer: Sharer, withinMs: number): Promise<GiveBack | FullShare> {
    const until = performance.now() + withinMs
    for (;;) {
      const leftMs = until - performance.now()
      await this.#nextFree(leftMs)
      const taken = this.take(sharer)
      if (typeof taken === 'function' || performance.now() >= until) return taken
    }
  }

  #nextFree(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, withinMs)
      this.#waiting.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  #count(key: string): number {
    return this.#taken.get(key) ?? 0
  }

  #add(key: string, by: 1 | -1): void {
    const count = this.#count(key) + by
    if (count === 0) this.#taken.delete(key)
    else this.#taken.set(key, count)
  }
}
