import { describe, expect, it } from 'vitest'
import { countPairs, findDisorder, type OrderedChain } from '../ordered-chain.ts'
import { isOrderable } from '../ordering.ts'

const chain: OrderedChain = [
  ['0'],
  ['0.0'],
  ['0.0.1', '0-0-1', '0.0-1', '0-0.01'],
  ['0.01', '0.1'],
  ['0.01.0', '0.1-0', '0.1.0'],
  ['0.1.0.0'],
  ['0.1-1'],
  ['0.1-4'],
  ['0.1.18'],
  ['0.2'],
  ['0.2-2', '0.2.2', '00.02.002'],
  ['0.3.2'],
  ['0.3.2.0'],
  ['0.3.3.0'],
  ['0.9'],
  ['0.75'],
  ['1'],
  ['1.0'],
  ['1.0-0', '1.0.0'],
  ['1.0-1'],
  ['1.0.2'],
  ['1.2-3', '1.2.3', '1-2-3'],
  ['1.10'],
  ['2022.12-4'],
  ['999999999999999999999999999991'],
  ['999999999999999999999999999999.1'],
]

describe('cran', () => {
  it('orders lists of numbers, a prefix lower', () => {
    expect(findDisorder('cran', chain)).toEqual([])
    expect(countPairs(chain)).toBeGreaterThan(150)
  })

  it.each(['', '1.a.2', 'z.c.3', '!', '1.', '-1', '1..2', '1.2_3', 'v1.2', '1.0-beta'])(
    'does not order %j',
    (version) => {
      expect(isOrderable('cran', version)).toBe(false)
    },
  )
})
