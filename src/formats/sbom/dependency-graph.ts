import type { Place } from '../json/object.ts'
import { cleanReference } from './component-fields.ts'
import type { DependencyEdge } from './document.ts'
import type { Hints } from './hints.ts'

const maxEdges = 200_000
/** More references than any document of 50 MB contains; two numbers below it fit into one exact number. */
const maxReferences = 2 ** 26

type Node = { number: number; reference: string | null }

/** Collects the edges between components, each once, in the order in which the document names them. */
export class DependencyGraph {
  readonly edges: DependencyEdge[] = []
  readonly #hints: Hints
  readonly #nodes = new Map<string, Node>()
  readonly #seen = new Set<number>()

  constructor(hints: Hints) {
    this.#hints = hints
  }

  get isFull(): boolean {
    return this.edges.length === maxEdges
  }

  /** `from` depends on or contains `to`, both as the document spells them; a component does neither to itself. */
  add(from: string, to: string, place: Place): void {
    // A document of legal size can name millions of them: those beyond the limit are ignored.
    if (this.isFull) {
      this.#hints.note('dependencies_cut', place)
      return
    }
    const source = this.#nodeOf(from)
    const target = this.#nodeOf(to)
    if (source.reference === null || target.reference === null || from === to) return
    const pair = source.number * maxReferences + target.number
    if (this.#seen.has(pair)) return
    this.#seen.add(pair)
    this.edges.push({ from: source.reference, to: target.reference })
  }

  #nodeOf(spelling: string): Node {
    const known = this.#nodes.get(spelling)
    if (known) return known
    const node = { number: this.#nodes.size, reference: cleanReference(spelling) }
    this.#nodes.set(spelling, node)
    return node
  }
}
