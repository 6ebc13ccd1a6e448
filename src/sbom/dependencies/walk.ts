import type { TreeStart } from '../../contract/dependencies/shapes.ts'
import type { StatedGraph } from './stated-graph.ts'

/** A graph with precomputed data for walking it. */
export type WalkedGraph = StatedGraph & {
  start: TreeStart
  /** The nodes of the first step. */
  first: Int32Array
  /** How many steps the shortest way from the product to a node has; -1: none leads there. The product is 0 steps away. */
  steps: Int32Array
  /** The node of the first step on a shortest way to a node, itself where it is one; 0: none leads there. */
  nearest: Int32Array
  /** Which nodes depend on a node, stored like the targets. */
  sourceStarts: Int32Array
  sources: Int32Array
}

/** Works out the first step, who depends on whom and the distances. Linear in nodes and links. */
export function walkGraph(graph: StatedGraph): WalkedGraph {
  const { sourceStarts, sources } = turnedRound(graph)
  const { start, first } = firstStep(graph, sourceStarts)
  return { ...graph, start, first, sourceStarts, sources, ...distances(graph, first) }
}

export function targetsOf({ starts, targets }: StatedGraph, node: number): Int32Array {
  return targets.subarray(starts[node] ?? 0, starts[node + 1] ?? 0)
}

export function sourcesOf(graph: Pick<WalkedGraph, 'sourceStarts' | 'sources'>, node: number): Int32Array {
  return graph.sources.subarray(graph.sourceStarts[node] ?? 0, graph.sourceStarts[node + 1] ?? 0)
}

function turnedRound(graph: StatedGraph): Pick<WalkedGraph, 'sourceStarts' | 'sources'> {
  const sourceStarts = new Int32Array(graph.nodes + 2)
  for (const target of graph.targets) sourceStarts[target + 1] = (sourceStarts[target + 1] ?? 0) + 1
  for (let node = 1; node < sourceStarts.length; node += 1) {
    sourceStarts[node] = (sourceStarts[node] ?? 0) + (sourceStarts[node - 1] ?? 0)
  }
  const next = sourceStarts.slice()
  const sources = new Int32Array(graph.targets.length)
  let node = 0
  for (let at = 0; at < graph.targets.length; at += 1) {
    const target = graph.targets[at] ?? 0
    while ((graph.starts[node + 1] ?? 0) <= at) node += 1
    const place = next[target] ?? 0
    sources[place] = node
    next[target] = place + 1
  }
  return { sourceStarts, sources }
}

function firstStep(graph: StatedGraph, sourceStarts: Int32Array): Pick<WalkedGraph, 'start' | 'first'> {
  const own = targetsOf(graph, 0)
  if (own.length > 0) return { start: 'product', first: own }
  const top: number[] = []
  for (let node = 1; node <= graph.nodes; node += 1) {
    const isNobodys = sourceStarts[node] === sourceStarts[node + 1]
    if (isNobodys && graph.starts[node] !== graph.starts[node + 1]) top.push(node)
  }
  return { start: graph.targets.length > 0 ? 'top' : 'nowhere', first: Int32Array.from(top) }
}

function distances(graph: StatedGraph, first: Int32Array): Pick<WalkedGraph, 'steps' | 'nearest'> {
  const steps = new Int32Array(graph.nodes + 1).fill(-1)
  const nearest = new Int32Array(graph.nodes + 1)
  const queue = new Int32Array(graph.nodes + 1)
  let reached = 0
  steps[0] = 0
  const reach = (node: number, distance: number, through: number) => {
    if (steps[node] !== -1) return
    steps[node] = distance
    nearest[node] = through
    queue[reached++] = node
  }
  for (const node of first) reach(node, 1, node)
  for (let at = 0; at < reached; at += 1) {
    const node = queue[at] ?? 0
    const distance = (steps[node] ?? 0) + 1
    const end = graph.starts[node + 1] ?? 0
    const through = nearest[node] ?? 0
    for (let link = graph.starts[node] ?? 0; link < end; link += 1) {
      reach(graph.targets[link] ?? 0, distance, through)
    }
  }
  return { steps, nearest }
}

/** A node and everything below it, each once. Linear in nodes and links. */
export function nodesFrom(graph: StatedGraph, node: number): number[] {
  const isThere = new Uint8Array(graph.nodes + 1)
  const found = [node]
  isThere[node] = 1
  for (let at = 0; at < found.length; at += 1) {
    for (const target of targetsOf(graph, found[at] ?? 0)) {
      if (isThere[target] === 1) continue
      isThere[target] = 1
      found.push(target)
    }
  }
  return found
}

/**
 * Of each node the lowest rank among the nodes below it, itself left out; 0: none has one. `ranks`: from 1 on, 0 for none. Linear in
 * nodes and links: the nodes of each rank are walked upwards, the lowest rank first, and no node twice.
 */
export function lowestBelow(graph: WalkedGraph, ranks: Uint8Array): Uint8Array {
  const below = new Uint8Array(graph.nodes + 1)
  const ranked: number[] = []
  for (let node = 0; node < ranks.length; node += 1) if (ranks[node] !== 0) ranked.push(node)
  const byRank = Map.groupBy(ranked, (node) => ranks[node] ?? 0)
  for (const rank of [...byRank.keys()].sort((one, other) => one - other)) {
    walkUp(graph, byRank.get(rank) ?? [], (node) => {
      const isNew = below[node] === 0
      if (isNew) below[node] = rank
      return isNew
    })
  }
  return below
}

/**
 * Visits the dependants of the given nodes, and theirs in turn; continues above a node where `visit` says so. Consumes the list of
 * nodes.
 */
export function walkUp(graph: WalkedGraph, from: number[], visit: (node: number) => boolean): void {
  const { sourceStarts, sources } = graph
  for (let node = from.pop(); node !== undefined; node = from.pop()) {
    const end = sourceStarts[node + 1] ?? 0
    for (let at = sourceStarts[node] ?? 0; at < end; at += 1) {
      const source = sources[at] ?? 0
      if (visit(source)) from.push(source)
    }
  }
}
