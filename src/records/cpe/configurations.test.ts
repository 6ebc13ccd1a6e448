import { describe, expect, it } from 'vitest'
import { vulnerableMatches } from './configurations.ts'

const cpe = (name: string) => `cpe:2.3:a:acme:${name}:*`
const vulnerable = (name: string) => ({ vulnerable: true, criteria: cpe(name) })
const platform = (name: string) => ({ vulnerable: false, criteria: cpe(name) })
const node = (...cpeMatch: unknown[]) => ({ operator: 'OR', negate: false, cpeMatch })

/** `product` or `product on a, b`. */
function found(...configurations: unknown[]): string[] {
  const name = (criteria: string) => criteria.split(':')[4] ?? ''
  return vulnerableMatches(configurations).map(({ criteria, runningOn }) =>
    runningOn.length === 0 ? name(criteria) : `${name(criteria)} on ${runningOn.map(name).join(', ')}`,
  )
}

describe('vulnerableMatches', () => {
  it.each<[rule: string, configurations: unknown[], expected: string[]]>([
    ['one product', [{ nodes: [node(vulnerable('pump'))] }], ['pump']],
    [
      'several nodes and configurations',
      [
        { nodes: [node(vulnerable('a'), vulnerable('b')), node(vulnerable('c'))] },
        { nodes: [node(vulnerable('d'))] },
      ],
      ['a', 'b', 'c', 'd'],
    ],
    ['not vulnerable', [{ nodes: [node(platform('linux'), vulnerable('a'))] }], ['a']],
    [
      'running on',
      [
        {
          operator: 'AND',
          nodes: [node(vulnerable('firmware')), node(platform('board1'), platform('board2'))],
        },
      ],
      ['firmware on board1, board2'],
    ],
    [
      'running on, inside a node',
      [{ nodes: [{ operator: 'AND', cpeMatch: [vulnerable('app'), platform('windows')] }] }],
      ['app on windows'],
    ],
    [
      'two vulnerable parts',
      [{ operator: 'AND', nodes: [node(vulnerable('app')), node(vulnerable('lib'))] }],
      ['app on lib', 'lib on app'],
    ],
    ['a negated configuration', [{ negate: true, nodes: [node(vulnerable('a'))] }], []],
    [
      'a negated node',
      [{ operator: 'AND', nodes: [node(vulnerable('a')), { ...node(vulnerable('b')), negate: true }] }],
      ['a'],
    ],
    [
      'nodes within nodes',
      [
        {
          operator: 'OR',
          nodes: [
            { operator: 'AND', children: [node(vulnerable('app')), node(platform('windows'))] },
            {
              operator: 'AND',
              nodes: [{ ...node(vulnerable('no')), negate: true }, node(vulnerable('lib'))],
            },
          ],
        },
      ],
      ['app on windows', 'lib'],
    ],
    ['nothing', [], []],
    ['other shapes', [null, 1, 'x', [], { nodes: 'x' }, { nodes: [null, { cpeMatch: [null, 1, {}] }] }], []],
    ['vulnerable in words', [{ nodes: [node({ vulnerable: 'true', criteria: cpe('a') })] }], []],
  ])('%s', (_rule, configurations, expected) => {
    expect(found(...configurations)).toEqual(expected)
  })

  it('reads the four bounds', () => {
    const bounds = {
      versionStartIncluding: '1',
      versionStartExcluding: '2',
      versionEndIncluding: '3',
      versionEndExcluding: '4',
    }
    expect(vulnerableMatches([{ nodes: [node({ ...vulnerable('a'), ...bounds })] }])).toEqual([
      {
        criteria: cpe('a'),
        startIncluding: '1',
        startExcluding: '2',
        endIncluding: '3',
        endExcluding: '4',
        runningOn: [],
      },
    ])
  })

  it('records at most 20 of what a product runs on, never itself', () => {
    const many = Array.from({ length: 50 }, (_, index) => platform(`board${index}`))
    const [match] = vulnerableMatches([{ operator: 'AND', nodes: [node(vulnerable('a')), node(...many)] }])
    expect(match?.runningOn).toHaveLength(20)
    const [first, last] = vulnerableMatches([
      { operator: 'AND', nodes: [node(vulnerable('a'), ...many), node(vulnerable('b'), ...many)] },
    ])
    expect([first?.runningOn.length, last?.runningOn.length]).toEqual([20, 20])
    expect(first?.runningOn).not.toContain(cpe('a'))
  })

  it('takes time in proportion to the entry', () => {
    const nodes = Array.from({ length: 100_000 }, () => node(vulnerable('a'), vulnerable('b')))
    expect(vulnerableMatches([{ operator: 'AND', nodes }])).toHaveLength(200_000)
  })
})
