import { describe, expect, it } from 'vitest'
import { countPairs, findDisorder, type OrderedChain } from '../ordered-chain.ts'
import { isOrderable } from '../ordering.ts'

const chain: OrderedChain = [
  ['0'],
  ['0.0'],
  ['0.0.0.1'],
  ['0.1'],
  ['0.1.0.0'],
  ['0.1.9.9'],
  ['0.1.26.0', '0.01.26.0'],
  ['0.11.3.0'],
  ['1'],
  ['1.0', '01.0'],
  ['1.0.0'],
  ['1.0.0.0'],
  ['1.0.1.0'],
  ['1.1'],
  ['1.1.0'],
  ['1.9'],
  ['1.10'],
  ['2'],
  ['2.0'],
  ['2.0.0.0'],
  ['9.8.1'],
  ['999999999999999999999999999991.0'],
  ['999999999999999999999999999999'],
]

describe('hackage', () => {
  it('orders lists of numbers, a prefix lower', () => {
    expect(findDisorder('hackage', chain)).toEqual([])
    expect(countPairs(chain)).toBeGreaterThan(150)
  })

  it.each(['', '1.0-beta', '1-2', '1.', '.1', 'v1.0', '1.0.x', 'head'])('does not order %j', (version) => {
    expect(isOrderable('hackage', version)).toBe(false)
  })
})
