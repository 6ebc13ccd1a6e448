import type { ReceiverTurns } from './claim.ts'

/** A destination at the host that its deliveries go to. */
export type Receiver = { workspaceId: string; host: string; destinationId: string }

/** A receiver whose last answer came within this time gets several posts. Flows that forward a message take a second or two for each. */
const maxByAnswer = [
  { withinMs: 1_000, posts: 8 },
  { withinMs: 3_000, posts: 3 },
]
/** For a slower one, which may be about to hang, and for an unknown one. */
const maxToOthers = 1
/** Receivers that are remembered as answering while nothing is under way to them. */
const maxRemembered = 1_000

/**
 * How many posts each receiver may have at a time. One that is not known to answer gets one, so that a hundred hanging receivers take up
 * only a hundred slots; one that answers gets several.
 */
export class ReceiverTurnsBook {
  readonly #receivers = new Map<string, ReceiverTurns>()

  begin(receiver: Receiver, at: Date): void {
    const known = this.#receivers.get(key(receiver)) ?? {
      ...receiver,
      posts: 0,
      max: maxToOthers,
      unrecordedAt: null,
    }
    this.#keep({ ...known, posts: known.posts + 1, unrecordedAt: at })
  }

  end(receiver: Receiver, durationMs: number): void {
    const known = this.#receivers.get(key(receiver))
    if (known === undefined) return
    const max = maxByAnswer.find(({ withinMs }) => durationMs <= withinMs)?.posts ?? maxToOthers
    this.#keep({ ...known, posts: known.posts - 1, max })
  }

  /** Of its last post, which began at `at`. */
  recorded(receiver: Receiver, at: Date): void {
    const known = this.#receivers.get(key(receiver))
    if (known?.unrecordedAt === at) this.#keep({ ...known, unrecordedAt: null })
  }

  list(): ReceiverTurns[] {
    return [...this.#receivers.values()]
  }

  /** The receiver that was used last is the last to be forgotten. */
  #keep(turns: ReceiverTurns): void {
    this.#receivers.delete(key(turns))
    if (turns.posts === 0 && turns.max === maxToOthers && turns.unrecordedAt === null) return
    this.#receivers.set(key(turns), turns)
    if (this.#receivers.size <= maxRemembered) return
    const idle = this.#receivers.values().find(({ posts }) => posts === 0)
    if (idle !== undefined) this.#receivers.delete(key(idle))
  }
}

function key({ destinationId, host }: Receiver): string {
  return `${destinationId} ${host}`
}
