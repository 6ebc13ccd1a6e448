import { describe, expect, it } from 'vitest'
import { countPairs, findDisorder, type OrderedChain } from '../ordered-chain.ts'
import { isOrderable } from '../ordering.ts'

const chain: OrderedChain = [
  ['0'],
  ['0.0.0-20250806193153-183891f8d535'],
  ['0.0.0-20250807113757-8340a6918f6c'],
  ['0.9.0'],
  ['1.2.3-alpha'],
  ['1.2.3-beta.2'],
  ['1.2.3-beta.11'],
  ['1.2.3-debian-12-r1'],
  ['1.2.3-rc1', '1.2.3-rc1+metadata'],
  ['1.2.3', 'v1.2.3', '1.2.3+foo', '1.2.3+bar'],
  ['1.2.3-0'],
  ['1.2.3-1', '1.2.3-01', '1.2.3-1+metadata'],
  ['1.2.3-2'],
  ['1.2.3-3.57.3'],
  ['1.2.3-10'],
  ['1.2.3-10.1'],
  ['1.2.3-10.el8'],
  ['1.2.3-333'],
  ['1.2.3-8-g210218'],
  ['1.2.4-rc1'],
  ['1.2.4'],
  ['1.10.0'],
  ['2.0.0', '2.0', '2'],
  ['2.0.0-1'],
  ['2147483648.3.0'],
]

const unorderable = [
  '',
  'latest',
  'nightly.2026-03-10.0',
  '1.2.3-',
  '1.2.beta',
  '1.2.3_1',
  'foo1.2.3',
  '1.7rc2',
]

describe('bitnami', () => {
  it('orders revisions above and prereleases below the release', () => {
    expect(findDisorder('bitnami', chain)).toEqual([])
    expect(countPairs(chain)).toBeGreaterThan(150)
  })

  it.each(unorderable)('does not order %j', (version) => {
    expect(isOrderable('bitnami', version)).toBe(false)
  })
})
