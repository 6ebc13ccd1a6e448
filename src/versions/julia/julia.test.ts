import { describe, expect, it } from 'vitest'
import { countPairs, findDisorder, type OrderedChain } from '../ordered-chain.ts'
import { isOrderable } from '../ordering.ts'

/** As `isless` of Julia's VersionNumber has them. */
const chain: OrderedChain = [
  ['0.2.0-DEV', 'v0.2.0-DEV'],
  ['0.2.0'],
  ['1.0.0-rc1'],
  ['1.0.0-rc1+1'],
  ['1.0.0', '1.0', 'v1'],
  ['1.0.0+0'],
  ['1.0.0+1'],
  ['1.0.0+1.2'],
  ['1.0.0+10'],
  ['1.0.0+build'],
  ['1.0.1'],
  ['2.13.6'],
  ['2.13.6+0'],
  ['2.13.6+1'],
  ['2.14.0+0'],
]

describe('julia', () => {
  it('orders builds after the version, by their number', () => {
    expect(findDisorder('julia', chain)).toEqual([])
    expect(countPairs(chain)).toBeGreaterThan(100)
  })

  it.each(['', 'main', '^1.0', '1.0.0+'])('does not order %j', (version) => {
    expect(isOrderable('julia', version)).toBe(false)
  })
})
