import type { Place } from '../json/object.ts'
import { cleanReference } from './component-fields.ts'
import type { DependencyEdge } from './document.ts'
import type { Hints } from './hints.ts'

const maxEdges = 200_000
/** More references than any document of 50 MB holds, so that two numbers below it fit one exact number. */
const maxReferences = 2 ** 26

/** Collects the edges between components, each once, in the order in which the document names them. */
export class DependencyGraph {
  readonly edges: DependencyEdge[] = []
  readonly #hints: Hints
  readonly #numbers = new Map<string, number>()
  readonly #seen = new Set<number>()

  constructor(hints: Hints) {
    this.#hints = hints
  }

  /** `from` depends on or contains `to`; a component does neither to itself. */
  add(fromReference: string, toReference: string, place: Place): void {
    const from = cleanReference(fromReference)
    const to = cleanReference(toReference)
    if (from === null || to === null || from === to) return
    const pair = this.#numberOf(from) * maxReferences + this.#numberOf(to)
    if (this.#seen.has(pair)) return
    if (this.edges.length === maxEdges) {
      this.#hints.note('dependencies_cut', place)
      return
    }
    this.#seen.add(pair)
    this.edges.push({ from, to })
  }

  #numberOf(reference: string): number {
    const known = this.#numbers.get(reference)
    if (known !== undefined) return known
    this.#numbers.set(reference, this.#numbers.size)
    return this.#numbers.size - 1
  }
}
