import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dependencyLimits } from '../../contract/dependencies/shapes.ts'
import { firstNodesAbove, shortestPaths } from './shortest-paths.ts'
import { graphOf, linkOf } from './stated-graph.ts'
import { lowestBelow, targetsOf, walkGraph, type WalkedGraph } from './walk.ts'

type Link = readonly [number, number]

function walked(nodes: number, links: readonly Link[]): WalkedGraph {
  return walkGraph(
    graphOf(
      nodes,
      0,
      Float64Array.from(links, ([from, to]) => linkOf(from, to)),
    ),
  )
}

describe('where the tree begins', () => {
  it.each<[string, number, Link[], string, number[]]>([
    [
      'at what the product depends on',
      3,
      [
        [0, 2],
        [2, 3],
      ],
      'product',
      [2],
    ],
    [
      'at what nothing depends on, but depends on others',
      4,
      [
        [1, 2],
        [2, 3],
      ],
      'top',
      [1],
    ],
    ['nowhere', 3, [], 'nowhere', []],
    [
      'nowhere in a ring without the product',
      2,
      [
        [1, 2],
        [2, 1],
      ],
      'top',
      [],
    ],
  ])('%s', (_, nodes, links, start, first) => {
    const graph = walked(nodes, links)
    expect([graph.start, [...graph.first]]).toEqual([start, first])
  })
})

it('counts the steps of the shortest way, also round rings', () => {
  const links: Link[] = [
    [0, 1],
    [1, 2],
    [2, 1],
    [2, 3],
    [0, 3],
    [4, 5],
  ]
  expect([...walked(5, links).steps]).toEqual([0, 1, 2, 1, -1, -1])
})

const anyGraph = fc
  .integer({ min: 1, max: 8 })
  .chain((nodes) =>
    fc
      .array(fc.tuple(fc.nat(nodes), fc.integer({ min: 1, max: nodes })), { maxLength: 24 })
      .map((links) => ({ nodes, links: links.filter(([from, to]) => from !== to) })),
  )

/** Every way from the first step that passes no node twice, by its length. */
function allPaths(graph: WalkedGraph, node: number): number[][] {
  const follow = (path: number[]): number[][] => [
    ...(path.at(-1) === node ? [path] : []),
    ...Array.from(targetsOf(graph, path.at(-1) ?? 0)).flatMap((target) =>
      path.includes(target) || path.at(-1) === node ? [] : follow([...path, target]),
    ),
  ]
  return Array.from(graph.first).flatMap((first) => follow([first]))
}

it('finds the shortest ways, each once, and no other', () => {
  fc.assert(
    fc.property(anyGraph, ({ nodes, links }) => {
      const graph = walked(nodes, links)
      for (let node = 1; node <= nodes; node += 1) {
        const all = allPaths(graph, node)
        const found = shortestPaths(graph, node, 5)
        const lengths = all.map(({ length }) => length).sort((one, other) => one - other)
        expect(found.map(({ length }) => length)).toEqual(lengths.slice(0, 5))
        const known = new Set(all.map(String))
        expect(new Set(found.map(String)).size).toBe(found.length)
        expect(found.every((path) => known.has(String(path)))).toBe(true)
        expect(firstNodesAbove(graph, node)).toEqual(
          Array.from(graph.first).filter((first) => reaches(graph, first, node)),
        )
      }
    }),
  )
})

function reaches(graph: WalkedGraph, from: number, to: number): boolean {
  const seen = new Set([from])
  for (const node of seen) for (const target of targetsOf(graph, node)) seen.add(target)
  return seen.has(to)
}

it('tells the lowest rank below each node', () => {
  fc.assert(
    fc.property(anyGraph, fc.array(fc.nat(3), { minLength: 9, maxLength: 9 }), ({ nodes, links }, given) => {
      const graph = walked(nodes, links)
      const ranks = Uint8Array.from({ length: nodes + 1 }, (_, node) => (node === 0 ? 0 : (given[node] ?? 0)))
      const wanted = Array.from({ length: nodes + 1 }, (_, node) => {
        const below = Array.from(targetsOf(graph, node)).flatMap((target) =>
          Array.from(ranks.keys()).filter((other) => reaches(graph, target, other)),
        )
        const found = below.map((other) => ranks[other] ?? 0).filter((rank) => rank > 0)
        return found.length === 0 ? 0 : Math.min(...found)
      })
      expect([...lowestBelow(graph, ranks)]).toEqual(wanted)
    }),
  )
})

describe('a hostile graph', () => {
  it('names no way of more steps than anybody reads', () => {
    const longest = dependencyLimits.longestPath
    const graph = walked(
      50_000,
      Array.from({ length: 50_000 }, (_, node): Link => [node, node + 1]),
    )
    expect(shortestPaths(graph, longest, 5)).toEqual([Array.from({ length: longest }, (_, at) => at + 1)])
    expect(shortestPaths(graph, longest + 1, 5)).toEqual([])
    expect(graph.steps[50_000]).toBe(50_000)
  })

  it('names the shortest way to what more components depend on than are looked at', () => {
    // All of a long chain depend on the last one; the product on the first of the chain, which has the highest number.
    const links = Array.from({ length: 40_000 }, (_, at): Link[] => [
      [at === 0 ? 40_000 : at, at + 1],
      [at + 1, 50_000],
    ]).flat()
    links.push([0, 40_000])
    expect(shortestPaths(walked(50_000, links), 50_000, 5)).toEqual([[40_000, 50_000]])
  })

  it('does not try every way through layers of everything on everything', () => {
    const layers = 60
    const links = Array.from({ length: layers }, (_, layer) =>
      Array.from({ length: 50 }, (__, at) =>
        Array.from({ length: 50 }, (___, to): Link => [
          layer === 0 ? 0 : layer * 50 - at,
          layer * 50 + 1 + to,
        ]),
      ),
    ).flat(2)
    const found = shortestPaths(walked(50 * (layers + 1), links), layers * 50, 5)
    expect(found.map(({ length }) => length)).toEqual([layers, layers, layers, layers, layers])
  })
})
