import { describe, expect, it } from 'vitest'
import { KnownGraphs, type KnownGraph } from './known-graphs.ts'
import { graphOf, linkOf } from './stated-graph.ts'
import { walkGraph } from './walk.ts'

/** A chain: each component depends on the next one. */
function chainOf(nodes: number): KnownGraph {
  const links = Float64Array.from({ length: nodes }, (_, node) => linkOf(node, node + 1))
  return {
    graph: walkGraph(graphOf(nodes, 0, links)),
    numbers: Int32Array.from({ length: nodes }, (_, at) => at + 1),
  }
}

describe('the graphs that are kept in memory', () => {
  it('are found by the id of their SBOM', () => {
    const graphs = new KnownGraphs()
    const chain = chainOf(3)
    graphs.keep('one', chain)
    expect(graphs.get('one')).toBe(chain)
    expect(graphs.get('another')).toBeUndefined()
  })

  it('take no more room than they may', () => {
    const graphs = new KnownGraphs(100_000)
    const ids = Array.from({ length: 100 }, (_, at) => `sbom ${at}`)
    // some 3 kB each
    for (const id of ids) graphs.keep(id, chainOf(100))
    const kept = ids.filter((id) => graphs.get(id) !== undefined)
    expect(kept.length).toBeGreaterThan(10)
    expect(kept.length).toBeLessThan(60)
  })

  it('keep none that is larger than all of the room', () => {
    const graphs = new KnownGraphs(10_000)
    graphs.keep('large', chainOf(10_000))
    expect(graphs.get('large')).toBeUndefined()
  })
})
