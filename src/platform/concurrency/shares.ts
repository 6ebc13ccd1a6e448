import type { Duplex } from 'node:stream'
import { ClientQueue } from './client-queue.ts'

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

/** How long somebody waits: for some time, and no longer than the connection lasts. */
type Patience = { withinMs: number; connection: Pick<Duplex, 'closed' | 'once' | 'off' | 'setMaxListeners'> }

type Entry = { giveBack: GiveBack; hasWaited: boolean }

/** Slots of this process for expensive work, so that nobody uses up those of others. */
export class Shares {
  readonly bounds: ShareBounds
  readonly #taken = new Map<string, number>()
  readonly #waiting = new ClientQueue<Waiter>()
  #all = 0

  constructor(bounds: ShareBounds) {
    this.bounds = bounds
  }

  /** A place at once, or whose places are all taken. */
  take(sharer: Sharer): GiveBack | FullShare {
    return this.#fullFor(sharer) ?? this.#place(sharer)
  }

  /** A place, after waiting for one where none is free; at once whose places are all taken where too many of the person's wait already. */
  async await(sharer: Sharer, patience: Patience): Promise<Entry | FullShare> {
    const taken = this.take(sharer)
    if (typeof taken === 'function') return { giveBack: taken, hasWaited: false }
    const waiting = `waiting ${sharer.personId}`
    if (this.#count(waiting) >= maxWaiting) return taken
    this.#add(waiting, 1)
    try {
      const place = await this.#placeWithin(sharer, patience)
      return place === undefined ? taken : { giveBack: place, hasWaited: true }
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

  /** Undefined: none became free, or nobody waits for it any more. */
  #placeWithin(sharer: Sharer, { withinMs, connection }: Patience): Promise<GiveBack | undefined> {
    const client = `${sharer.workspaceId} ${sharer.personId}`
    return new Promise((resolve) => {
      const end = (place?: GiveBack) => {
        clearTimeout(timer)
        connection.off('close', leave)
        resolve(place)
      }
      const waiter: Waiter = { sharer, grant: end }
      const leave = () => {
        this.#waiting.leave(waiter, client)
        end()
      }
      const timer = setTimeout(leave, withinMs)
      // a client may send many requests on one connection before it reads an answer
      connection.setMaxListeners(0).once('close', leave)
      if (connection.closed) end()
      else this.#waiting.add(waiter, client)
    })
  }

  #serve(): void {
    for (let client = this.#nextClient(); client !== undefined; client = this.#nextClient()) {
      const waiter = this.#waiting.next(client)
      waiter?.grant(this.#place(waiter.sharer))
    }
  }

  /** Who has the fewest places of those that may have one; else whoever has waited to be served for longest, however many of others came before. */
  #nextClient(): string | undefined {
    let next: string | undefined
    let fewest = Infinity
    for (const [client, { sharer }] of this.#waiting.firsts()) {
      if (this.#fullFor(sharer) !== undefined) continue
      const places = this.#placesOf(sharer)
      if (places < fewest) [next, fewest] = [client, places]
    }
    return next
  }

  /** Of the workspace; in one workspace, of the person. */
  #placesOf({ personId, workspaceId }: Sharer): number {
    const ofPerson = this.#count(`person ${personId}`) / (this.bounds.person + 1)
    return this.#count(`workspace ${workspaceId}`) + ofPerson
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
