import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readSbom } from '../../formats/sbom/read-sbom.ts'
import { distinctComponents } from '../components/component-rows.ts'
import { graphOfRows } from './graph-of-document.ts'
import { decodeGraph, encodeGraph, graphOf, linkOf, type StatedGraph } from './stated-graph.ts'
import { targetsOf } from './walk.ts'

/** The links of a graph, as pairs of nodes. */
function linksOf(graph: StatedGraph): [number, number][] {
  return Array.from({ length: graph.nodes + 1 }, (_, node) =>
    Array.from(targetsOf(graph, node), (target): [number, number] => [node, target]),
  ).flat()
}

const anyLinks = fc
  .integer({ min: 0, max: 300 })
  .chain((nodes) =>
    fc.tuple(
      fc.constant(nodes),
      fc.array(fc.tuple(fc.nat(nodes), fc.nat(nodes)), { maxLength: 200 }),
      fc.nat(nodes),
    ),
  )

it('keeps every link once, whatever their order, and reads back what it wrote', () => {
  fc.assert(
    fc.property(anyLinks, ([nodes, links, productNode]) => {
      const graph = graphOf(
        nodes,
        productNode,
        Float64Array.from(links, ([from, to]) => linkOf(from, to)),
      )
      const read = decodeGraph(encodeGraph(graph))
      expect(read).toEqual({ ...graph, targets: read.targets })
      const wanted = new Map(links.map((link) => [linkOf(...link), link]))
      expect(linksOf(read)).toEqual([...wanted].sort(([one], [other]) => one - other).map(([, link]) => link))
    }),
  )
})

it('refuses what is cut off or of another form', () => {
  const bytes = encodeGraph(graphOf(200, 0, Float64Array.of(linkOf(0, 200))))
  expect(() => decodeGraph(bytes.subarray(0, -1))).toThrow('cut off')
  expect(() => decodeGraph(Uint8Array.of(2, 0, 0, 0))).toThrow('unknown form')
})

it('takes two or three bytes a link of the largest document', () => {
  const nodes = 50_000
  const links = Float64Array.from({ length: 200_000 }, (_, at) =>
    linkOf(at % nodes, 1 + ((at * 7919) % nodes)),
  )
  expect(encodeGraph(graphOf(nodes, 0, links)).length).toBeLessThan(700_000)
})

/** Of a document: the links between the names of its components, the product being `product`. */
function namedLinks(document: object): string[] {
  const read = readSbom(Buffer.from(JSON.stringify(document)))
  const rows = [...distinctComponents(read)]
  const numbers = rows.map((_, at) => 10 + at)
  const graph = graphOfRows(read, rows, { numbers, numberOf: (row) => 10 + rows.indexOf(row) })
  const nameOf = (node: number) => (node === 0 ? 'product' : (rows[node - 1]?.component.name ?? ''))
  return linksOf(graph).map(([from, to]) => `${nameOf(from)} > ${nameOf(to)}`)
}

describe('what a document states', () => {
  const component = (name: string, ref = name) => ({ type: 'library', name, 'bom-ref': ref })
  const cyclonedx = (components: object[], dependencies: object[]) => ({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    metadata: { component: { type: 'application', name: 'pump', 'bom-ref': 'root' } },
    components,
    dependencies,
  })

  it('is read from CycloneDX, entries that say the same being one component', () => {
    const links = namedLinks(
      cyclonedx(
        [component('a'), component('b'), component('b', 'b again')],
        [
          { ref: 'root', dependsOn: ['a'] },
          { ref: 'a', dependsOn: ['b', 'b again', 'a', 'nowhere'] },
          { ref: 'b', dependsOn: ['b again', 'root'] },
          { ref: 'b again', dependsOn: ['a'] },
        ],
      ),
    )
    expect(links).toEqual(['product > a', 'a > b', 'b > a'])
  })

  it('is read from nested components', () => {
    expect(namedLinks(cyclonedx([{ ...component('a'), components: [component('b')] }], []))).toEqual([
      'a > b',
    ])
  })

  it('is read from SPDX, where the product is one of the packages', () => {
    const named = (name: string) => ({ name, SPDXID: `SPDXRef-${name}`, downloadLocation: 'NONE' })
    const link = (from: string, relationshipType: string, to: string) => ({
      spdxElementId: `SPDXRef-${from}`,
      relationshipType,
      relatedSpdxElement: `SPDXRef-${to}`,
    })
    const document = {
      spdxVersion: 'SPDX-2.3',
      SPDXID: 'SPDXRef-DOCUMENT',
      name: 'pump',
      packages: ['pump', 'a', 'b', 'c'].map(named),
      relationships: [
        link('DOCUMENT', 'DESCRIBES', 'pump'),
        link('pump', 'CONTAINS', 'a'),
        link('a', 'DEPENDS_ON', 'b'),
        link('c', 'DEPENDENCY_OF', 'b'),
        link('b', 'GENERATED_FROM', 'a'),
      ],
    }
    expect(namedLinks(document)).toEqual(['product > a', 'a > b', 'b > c'])
  })
})
