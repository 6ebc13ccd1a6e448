import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readSbom } from '../../formats/sbom/read-sbom.ts'
import { parentNumbers } from './component-parents.ts'
import { distinctComponents } from './component-rows.ts'

/** A document of components `1` to `count` and these dependencies, `0` being the product; returns the parent of each component. */
function parentsOf(count: number, dependencies: readonly (readonly [number, number])[]): (number | null)[] {
  const names = Array.from({ length: count }, (_, place) => String(place + 1))
  const byFrom = Map.groupBy(dependencies, ([from]) => from)
  const document = readSbom(
    Buffer.from(
      JSON.stringify({
        bomFormat: 'CycloneDX',
        specVersion: '1.6',
        metadata: { component: { type: 'application', name: 'product', 'bom-ref': '0' } },
        components: names.map((name) => ({ type: 'library', name, 'bom-ref': name })),
        dependencies: [...byFrom].map(([from, list]) => ({
          ref: String(from),
          dependsOn: [...new Set(list.map(([, to]) => String(to)))],
        })),
      }),
    ),
  )
  const rows = [...distinctComponents(document)]
  const numbers = names.map(Number)
  return parentNumbers(document, rows, { numbers, numberOf: (row) => Number(row.component.name) })
}

describe('through which component each one comes in', () => {
  it.each<[string, number, [number, number][], (number | null)[]]>([
    [
      'direct dependencies',
      2,
      [
        [0, 1],
        [0, 2],
      ],
      [0, 0],
    ],
    [
      'a chain',
      3,
      [
        [0, 1],
        [1, 2],
        [2, 3],
      ],
      [0, 1, 2],
    ],
    [
      'the shortest of two ways',
      3,
      [
        [0, 1],
        [1, 2],
        [2, 3],
        [0, 3],
      ],
      [0, 1, 0],
    ],
    ['what nothing depends on', 2, [[0, 1]], [0, null]],
    [
      'a ring that the product does not reach',
      2,
      [
        [1, 2],
        [2, 1],
      ],
      [null, null],
    ],
    [
      'a ring that the product reaches',
      2,
      [
        [0, 1],
        [1, 2],
        [2, 1],
        [2, 0],
      ],
      [0, 1],
    ],
    ['no dependencies', 2, [], [null, null]],
  ])('%s', (_case, count, dependencies, expected) => {
    expect(parentsOf(count, dependencies)).toEqual(expected)
  })

  it('always leads to the product', () => {
    const count = 8
    const node = fc.integer({ min: 0, max: count })
    fc.assert(
      fc.property(fc.array(fc.tuple(node, node), { maxLength: 30 }), (dependencies) => {
        const parents = parentsOf(count, dependencies)
        for (let start = 1; start <= count; start += 1) {
          let at: number | null = start
          for (let steps = 0; at !== null && at !== 0; steps += 1) {
            expect(steps).toBeLessThan(count)
            const up: number | null = parents[at - 1] ?? null
            expect(up === null && at !== start).toBe(false)
            at = up
          }
        }
      }),
    )
  })
})
