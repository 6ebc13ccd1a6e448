/** Who asks for a place. */
type Sharer = { personId: string; workspaceId: string }

/** How many places one person, one workspace and all of them together may have. */
export type ShareBounds = { person: number; workspace: number; process: number }

/** Whose places are all taken. */
export type FullShare = keyof ShareBounds

/** Requests of one person that wait for a place. */
const maxWaiting = 250

/** Gives a place back; a second call does nothing. */
type GiveBack = () => void

type Waiter = { sharer: Sharer; grant: (place: GiveBack) => void }

/** Slots of this process for expensive work, so that nobody uses up those of others. */
export class Shares {
  readonly bounds: ShareBounds
  readonly #taken = new Map<string, number>()
  /** By who waits; whoever was served last comes after the others. */
  readonly #waiting = new Map<string, Waiter[]>()
  #all = 0

  constructor(bounds: ShareBounds) {
    this.bounds = bounds
  }

  /** A place at once, or whose places are all taken. */
  take(sharer: Sharer): GiveBack | FullShare {
    return this.#fullFor(sharer) ?? this.#place(sharer)
  }

  /** The same, after waiting for a place for some time; at once where too many of the person's wait already. */
  async await(sharer: Sharer, withinMs: number): Promise<GiveBack | FullShare> {
    const taken = this.take(sharer)
    const waiting = `waiting ${sharer.personId}`
    if (typeof taken === 'function' || this.#count(waiting) >= maxWaiting) return taken
    this.#add(waiting, 1)
    try {
      return (await this.#placeWithin(sharer, withinMs)) ?? this.take(sharer)
    } finally {
      this.#add(waiting, -1)
    }
  }

  #fullFor({ personId, workspaceId }: Sharer): FullShare | undefined {
    if (this.#count(`person ${personId}`) >= this.bounds.person) return 'person'
    if (this.#count(`workspace ${workspaceId}`) >= this.bounds.workspace) return 'workspace'
    return this.#all >= this.bounds.process ? 'process' : undefined
  }

  #place(sharer: Sharer): GiveBack {
    this.#addPlace(sharer, 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#addPlace(sharer, -1)
      this.#serve()
    }
  }

  /** Undefined: none became free. */
  #placeWithin(sharer: Sharer, withinMs: number): Promise<GiveBack | undefined> {
    const key = `${sharer.workspaceId} ${sharer.personId}`
    return new Promise((resolve) => {
      const waiter: Waiter = {
        sharer,
        grant: (place) => {
          clearTimeout(timer)
          resolve(place)
        },
      }
      const timer = setTimeout(() => {
        this.#leave(key, waiter)
        resolve(undefined)
      }, withinMs)
      const before = this.#waiting.get(key)
      if (before === undefined) this.#waiting.set(key, [waiter])
      else before.push(waiter)
    })
  }

  #serve(): void {
    for (let key = this.#nextKey(); key !== undefined; key = this.#nextKey()) {
      const queue = this.#waiting.get(key) ?? []
      const [first] = queue
      if (first === undefined) return
      this.#leave(key, first)
      if (this.#waiting.delete(key)) this.#waiting.set(key, queue)
      first.grant(this.#place(first.sharer))
    }
  }

  /** Who has the fewest places of those that may have one; else whoever has waited to be served for longest, however many of others came before. */
  #nextKey(): string | undefined {
    let next: string | undefined
    let fewest = Infinity
    for (const [key, [first]] of this.#waiting) {
      if (first === undefined || this.#fullFor(first.sharer) !== undefined) continue
      const places = this.#placesOf(first.sharer)
      if (places < fewest) [next, fewest] = [key, places]
    }
    return next
  }

  /** Of the workspace; in one workspace, of the person. */
  #placesOf({ personId, workspaceId }: Sharer): number {
    const ofPerson = this.#count(`person ${personId}`) / (this.bounds.person + 1)
    return this.#count(`workspace ${workspaceId}`) + ofPerson
  }

  #leave(key: string, waiter: Waiter): void {
    const queue = this.#waiting.get(key)
    const at = queue?.indexOf(waiter) ?? -1
    if (at !== -1) queue?.splice(at, 1)
    if (queue?.length === 0) this.#waiting.delete(key)
  }

  #addPlace({ personId, workspaceId }: Sharer, by: 1 | -1): void {
    this.#add(`person ${personId}`, by)
    this.#add(`workspace ${workspaceId}`, by)
    this.#all += by
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
