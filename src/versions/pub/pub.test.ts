import { describe, expect, it } from 'vitest'
import { countPairs, findDisorder, type OrderedChain } from '../ordered-chain.ts'
import { isOrderable, versionKey } from '../ordering.ts'

const chain: OrderedChain = [
  ['0.0.0-foo'],
  ['0.0.0', 'v0.0.0'],
  ['0.0.0+1', '0.0.0+01'],
  ['0.0.1'],
  ['0.9.0'],
  ['0.10.0'],
  ['1.0.0-alpha'],
  ['1.0.0-alpha.1'],
  ['1.0.0-alpha.beta'],
  ['1.0.0-beta.2'],
  ['1.0.0-beta.11'],
  ['1.0.0-pre'],
  ['1.0.0-pre+build'],
  ['1.0.0-pre+build.1'],
  ['1.0.0', '1.0', '1'],
  ['1.0.0+1'],
  ['1.0.0+2'],
  ['1.0.0+2.1'],
  ['1.0.0+900'],
  ['1.0.0+1z'],
  ['1.0.0+9a'],
  ['1.0.0+a'],
  ['1.0.0+a1'],
  ['1.0.0+b2'],
  ['1.0.0+build'],
  ['1.0.1-dev'],
  ['1.0.1'],
  ['999999999999999999999999999991.0.0'],
  ['999999999999999999999999999999.0.0'],
]

describe('pub', () => {
  it('orders build metadata after the version', () => {
    expect(findDisorder('pub', chain)).toEqual([])
    expect(countPairs(chain)).toBeGreaterThan(150)
  })

  it.each(['', 'any', '^1.0.0', '1.0.0+', '1.0.0-', 'main'])('does not order %j', (version) => {
    expect(isOrderable('pub', version)).toBe(false)
  })

  it('has no key', () => {
    expect(versionKey('pub', '1.0.0')).toBeNull()
  })
})
