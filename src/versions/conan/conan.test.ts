import { describe, expect, it } from 'vitest'
import { countPairs, findDisorder, type OrderedChain } from '../ordered-chain.ts'
import { isOrderable } from '../ordering.ts'

const chain: OrderedChain = [
  ['0', '0.0', '0.0.0'],
  ['*'],
  ['0.*'],
  ['0.1'],
  ['1-', '1.0.0-'],
  ['1-3'],
  ['1-alpha.3', '1.0-alpha.3.0'],
  ['1-alpha.3+b1'],
  ['1-alpha.3+b2'],
  ['1-alpha.22'],
  ['1-alpha1'],
  ['1-pre1', '1.0-pre1', '1.0.0-pre1', '1.0-pre1.0'],
  ['1-pre1+b1', '1.0-pre1+b1', '1.0.0-pre1+b1.0'],
  ['1-pre2'],
  ['1', '1.0', '1.0.0', '1.0.0.0', '01'],
  ['1+3'],
  ['1+22', '1.0+22.0'],
  ['1+b.3'],
  ['1+b.22'],
  ['1+b1', '1.0+b1', '1.0+b1.0', '1.0.0+b1'],
  ['1.0.1'],
  ['1.0.2'],
  ['1.1-pre1'],
  ['1.1'],
  ['1.1.0.1'],
  ['1.1.1'],
  ['1.1.1.1.3'],
  ['1.1.1.1.22'],
  ['1.1.1.abc'],
  ['1.1.1.abz'],
  ['1.1.1k'],
  ['1.1.1t'],
  ['1.1.1w'],
  ['1.1.3'],
  ['1.1.22'],
  ['1.1.a'],
  ['1.1.b'],
  ['1.1*'],
  ['1.1a'],
  ['1.2'],
  ['1.3'],
  ['1.22'],
  ['1.a'],
  ['2'],
  ['9d'],
  ['9e'],
  ['10'],
  ['10a'],
  ['999999999999999999999999999991'],
  ['999999999999999999999999999999'],
  ['a.b.c'],
  ['b.c'],
  ['cci.20200101'],
  ['cci.20230615'],
]

const unorderable = [
  '',
  '.',
  '1..0',
  '.1',
  '1.',
  '-1',
  '+1',
  '[>=1.0]',
  '>1.0',
  '1.0 2',
  '1.0@user',
  '1.0#rev',
  '1.0/2',
  'é',
]

describe('conan', () => {
  it('orders identifiers, prereleases and builds', () => {
    expect(findDisorder('conan', chain)).toEqual([])
    expect(countPairs(chain)).toBeGreaterThan(150)
  })

  it.each(unorderable)('does not order %j', (version) => {
    expect(isOrderable('conan', version)).toBe(false)
  })
})
