import { ServiceError } from '../../contract/errors.ts'
import { largestShare } from '../../platform/concurrency/fair-share.ts'
import type { PaceRule } from './body-pace.ts'

/** Whose body it is: a token, or a member in the browser. */
export type BodyOwner = { workspaceId: string; senderId: string }

/** Of strangers, who belong to no workspace or are not known: each address has a share of its own. */
export const noWorkspace = '00000000-0000-0000-0000-000000000000'

/** The share of the bounds above which space is scarce. */
const scarceFrom = 0.75

type Bound = { maxBytes: number; maxBodies: number }
/** Of all bodies, and of those from strangers, which never displace uploads. */
type Bounds = Bound & { strangers: Bound }
type Used = { bytes: number; bodies: number }

/** One body on its way in. Take it with `using`: its memory is released when its reader ends, however it ends. */
export type ArrivingBody = Disposable & {
  /** Counts so many more bytes. May reject bodies, this one included: see `over`. */
  hold: (bytes: number) => void
  /** Rejects, with `internal`, when it has to make room for others; its memory is released then. It need not be awaited. */
  over: Promise<never>
}

type Held = BodyOwner & { bytes: number; lastByteAtMs: number; giveUp: (refusal: ServiceError) => void }

/**
 * The memory of arriving bodies of all requests, counted as their bytes come. When it is used up, the workspace that uses most of it, in it
 * the sender that does, loses the body that has been silent longest: bodies that are never finished shut out only their own senders
 * (docs/decisions/0009, "Too much at once"). Strangers have a part of it, and displace only each other.
 */
export class ArrivingBodies {
  readonly pace: PaceRule
  readonly #bounds: Bounds
  readonly #held = new Set<Held>()
  readonly #all: Used = { bytes: 0, bodies: 0 }
  readonly #strangers: Used = { bytes: 0, bodies: 0 }

  constructor({ pace, ...bounds }: Bounds & { pace: PaceRule }) {
    this.pace = pace
    this.#bounds = bounds
  }

  get heldBytes(): number {
    return this.#all.bytes
  }

  /** Whether space is scarce: only then does a body need a minimum pace. */
  get isScarce(): boolean {
    return (
      partOf(this.#all, this.#bounds) > scarceFrom ||
      partOf(this.#strangers, this.#bounds.strangers) > scarceFrom
    )
  }

  get count(): number {
    return this.#held.size
  }

  /** A new body. */
  open(owner: BodyOwner): ArrivingBody {
    const { promise: over, reject: giveUp } = Promise.withResolvers<never>()
    // its reader may have ended, or not have begun to listen
    over.catch(() => undefined)
    const held: Held = { ...owner, bytes: 0, lastByteAtMs: performance.now(), giveUp }
    this.#held.add(held)
    this.#count(held, { bytes: 0, bodies: 1 })
    this.#makeRoom(held)
    return {
      over,
      hold: (bytes) => {
        if (!this.#held.has(held)) return
        held.bytes += bytes
        held.lastByteAtMs = performance.now()
        this.#count(held, { bytes, bodies: 0 })
        this.#makeRoom(held)
      },
      [Symbol.dispose]: () => this.#drop(held),
    }
  }

  #makeRoom(newcomer: Held): void {
    for (;;) {
      const isOver = partOf(this.#all, this.#bounds) > 1
      const areStrangersOver = partOf(this.#strangers, this.#bounds.strangers) > 1
      if (!isOver && !areStrangersOver) return
      const victim = this.#mostIdle(newcomer, areStrangersOver ? noWorkspace : undefined)
      this.#drop(victim)
      victim.giveUp(
        new ServiceError('internal', { detail: 'too many bodies are arriving', retryAfterSeconds: 5 }),
      )
    }
  }

  #drop(held: Held): void {
    if (this.#held.delete(held)) this.#count(held, { bytes: -held.bytes, bodies: -1 })
  }

  #count({ workspaceId }: Held, { bytes, bodies }: Used): void {
    for (const used of workspaceId === noWorkspace ? [this.#all, this.#strangers] : [this.#all]) {
      used.bytes += bytes
      used.bodies += bodies
    }
  }

  /** Of the workspace named, else of the one that uses most. */
  #mostIdle(newcomer: Held, named: string | undefined): Held {
    const workspaceId = named ?? this.#heaviest(this.#held, newcomer, (held) => held.workspaceId)
    const ofWorkspace = [...this.#held].filter((held) => held.workspaceId === workspaceId)
    const senderId = this.#heaviest(ofWorkspace, newcomer, (held) => held.senderId)
    const ofSender = ofWorkspace.filter((held) => held.senderId === senderId)
    return ofSender.reduce((idlest, held) => (held.lastByteAtMs < idlest.lastByteAtMs ? held : idlest))
  }

  #heaviest(among: Iterable<Held>, newcomer: Held, keyOf: (held: Held) => string): string {
    const shareOf = (held: readonly Held[]) => {
      const bytes = held.reduce((sum, one) => sum + one.bytes, 0)
      return partOf({ bytes, bodies: held.length }, this.#bounds)
    }
    return largestShare(among, newcomer, { keyOf, shareOf })
  }
}

/** Above 1: too much. */
function partOf({ bytes, bodies }: Used, { maxBytes, maxBodies }: Bound): number {
  return Math.max(bytes / maxBytes, bodies / maxBodies)
}
