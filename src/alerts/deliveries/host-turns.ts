import type { HostTurns } from './claim.ts'

type Pair = { workspaceId: string; host: string }

/** Posts of one workspace under way to a host that answers at once. */
const mostToQuick = 8
/** An answer that takes longer makes a host a slow one. */
const quickMs = 1_000
/** Hosts that are remembered as quick while nothing is under way to them. */
const mostRemembered = 1_000

/**
 * How many posts each host may have at a time. One that is not known to answer quickly gets one, so that a hundred receivers that hang
 * take up a hundred places and no more; one that does gets several.
 */
export class HostTurnsBook {
  readonly #pairs = new Map<string, HostTurns>()

  begin({ workspaceId, host }: Pair): void {
    const known = this.#pairs.get(key({ workspaceId, host })) ?? { workspaceId, host, posts: 0, most: 1 }
    this.#keep({ ...known, posts: known.posts + 1 })
  }

  end({ workspaceId, host }: Pair, durationMs: number): void {
    const known = this.#pairs.get(key({ workspaceId, host }))
    if (known === undefined) return
    this.#keep({ ...known, posts: known.posts - 1, most: durationMs <= quickMs ? mostToQuick : 1 })
  }

  list(): HostTurns[] {
    return [...this.#pairs.values()]
  }

  /** The pair that was used last is the last to be forgotten. */
  #keep(turns: HostTurns): void {
    this.#pairs.delete(key(turns))
    if (turns.posts === 0 && turns.most === 1) return
    this.#pairs.set(key(turns), turns)
    if (this.#pairs.size <= mostRemembered) return
    const idle = this.#pairs.values().find(({ posts }) => posts === 0)
    if (idle !== undefined) this.#pairs.delete(key(idle))
  }
}

function key({ workspaceId, host }: Pair): string {
  return `${workspaceId} ${host}`
}
