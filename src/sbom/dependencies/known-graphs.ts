import { BoundedCache } from '../../platform/concurrency/bounded-cache.ts'
import type { WalkedGraph } from './walk.ts'

/** The graph that an SBOM states, which never changes. */
export type KnownGraph = {
  graph: WalkedGraph
  /** Ascending; the component of node `n` has the number at place `n - 1`. */
  numbers: Int32Array
}

/** Of some ten SBOMs of 50 000 components, or a thousand usual ones. */
const usualMaxBytes = 24 * 1024 * 1024

/**
 * The dependencies of SBOMs that people look at, by the SBOM's id. Decoding and walking those of 50 000 components blocks the process for 35 to
 * 67 ms: too long for every page of a list.
 */
export class KnownGraphs {
  readonly #cache: BoundedCache<KnownGraph>

  constructor(maxBytes = usualMaxBytes) {
    this.#cache = new BoundedCache(maxBytes)
  }

  get(sbomId: string): KnownGraph | undefined {
    return this.#cache.get(sbomId)
  }

  keep(sbomId: string, known: KnownGraph): void {
    this.#cache.set(sbomId, known, sizeOf(known))
  }
}

function sizeOf({ graph, numbers }: KnownGraph): number {
  const { starts, targets, first, steps, nearest, sourceStarts, sources } = graph
  const parts = [starts, targets, first, steps, nearest, sourceStarts, sources, numbers]
  return parts.reduce((total, { byteLength }) => total + byteLength, 0)
}
