import { dependencyLimits } from '../../contract/dependencies/shapes.ts'
import { sourcesOf, walkUp, type WalkedGraph } from './walk.ts'

/** Nobody reads a longer one; of such a component only the number of steps is given. */
const { longestPath } = dependencyLimits
/** The maximum examined for one component, so that no document makes it slow. */
const maxLooks = 20_000

/** From the component back towards the product. */
type Part = { node: number; towards: Part | null; length: number }

/**
 * The shortest ways from the product to a node, the shortest first, at most `most`: the nodes in between and the node itself, from the
 * product down. Each passes every node once. Empty where no way leads to it or the shortest one has more than `longestPath` steps.
 *
 * They are built from the node upwards; the remaining distance to the product is known, so the most promising part is extended
 * first (A*).
 */
export function shortestPaths(graph: WalkedGraph, node: number, max: number): number[][] {
  const waiting = new WaitingParts(graph)
  waiting.add({ node, towards: null, length: 1 })
  const found: number[][] = []
  let looks = 0
  for (let part = waiting.next(); part !== undefined; part = waiting.next()) {
    if (graph.steps[part.node] === 1) found.push(nodesOf(part))
    if (found.length === max) return found
    for (const source of sourcesOf(graph, part.node)) {
      looks += 1
      // With so many dependants even the shortest path may not have been found.
      if (looks > maxLooks) return found.length > 0 ? found : [shortestPath(graph, node)]
      if (source !== 0 && !passes(part, source))
        waiting.add({ node: source, towards: part, length: part.length + 1 })
    }
  }
  return found
}

/** Partial paths by the total length that they promise. */
class WaitingParts {
  readonly #steps: Int32Array
  readonly #byLength = Array.from({ length: longestPath + 1 }, (): Part[] => [])
  #shortest = 1

  constructor({ steps }: WalkedGraph) {
    this.#steps = steps
  }

  add(part: Part): void {
    const left = this.#steps[part.node] ?? -1
    // Going to a deeper node promises a longer path, never a shorter one.
    if (left >= 1) this.#byLength[part.length + left - 1]?.push(part)
  }

  next(): Part | undefined {
    for (; this.#shortest <= longestPath; this.#shortest += 1) {
      const part = this.#byLength[this.#shortest]?.pop()
      if (part !== undefined) return part
    }
    return undefined
  }
}

/** A shortest one of any length, by going up a step at a time. */
function shortestPath(graph: WalkedGraph, node: number): number[] {
  const path = [node]
  for (let at = node; (graph.steps[at] ?? 0) > 1; path.unshift(at)) {
    const nearer = (graph.steps[at] ?? 0) - 1
    at = sourcesOf(graph, at).find((source) => graph.steps[source] === nearer) ?? 0
  }
  return path
}

function passes(part: Part, node: number): boolean {
  for (let at: Part | null = part; at !== null; at = at.towards) if (at.node === node) return true
  return false
}

function nodesOf(part: Part): number[] {
  const nodes: number[] = []
  for (let at: Part | null = part; at !== null; at = at.towards) nodes.push(at.node)
  return nodes
}

/** Through which of the first step's nodes a node comes into the product, itself if it is one; ascending. Linear in nodes and links. */
export function firstNodesAbove(graph: WalkedGraph, node: number): number[] {
  const seen = new Uint8Array(graph.nodes + 1)
  seen[node] = 1
  walkUp(graph, [node], (source) => {
    const isNew = seen[source] === 0
    seen[source] = 1
    return isNew
  })
  return Array.from(graph.first).filter((first) => seen[first] === 1)
}
