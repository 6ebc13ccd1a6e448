import { describe, expect, it } from 'vitest'
import { countPairs, findDisorder, type OrderedChain } from '../ordered-chain.ts'
import { isOrderable } from '../ordering.ts'

const chain: OrderedChain = [
  ['0.0.0-0'],
  ['0', '0.0', '0.0.0', '0.0.0.0', '00.0'],
  ['0.0.0.1'],
  ['0.9.9.1'],
  ['1.0.0-1'],
  ['1.0.0-2'],
  ['1.0.0-10'],
  ['1.0.0-1-a'],
  ['1.0.0-alpha'],
  ['1.0.0-BETA', '1.0.0-beta', '1.0-Beta+AA', '1-beta+aa', '1.0.0.0-bEtA'],
  ['1.0.0-beta.1+AA'],
  ['1.0.0-beta.X.y.5.77.0+AA', '1.0.0-BETA.x.Y.5.77.0'],
  ['1.0.0-beta.x.y.5.79.0'],
  ['1.0.0-BETA.x.y.5.790.0+abc'],
  ['1.0.0-beta2'],
  ['1.0.0-PREVIEW.7.23375.6'],
  ['1.0.0-rc.1'],
  ['1', '1.0', '1.0.0', '1.0.0.0', '1.0.0+beta', '1.0+test', '01.0'],
  ['1.0.0.1-1.2.A', '1.0.0.1-1.2.a+A'],
  ['1.0.0.1-1.2.a.A+A'],
  ['1.0.0.1-alpha'],
  ['1.0.0.1-pre'],
  ['1.0.0.1', '1.0.0.01'],
  ['1.0.0.2'],
  ['1.0.01', '1.0.1', '1.0.1.0'],
  ['1.0.1.2'],
  ['1.1.0'],
  ['1.999.9999'],
  ['2.1.1'],
  ['999999999999999999999999999991'],
  ['999999999999999999999999999999'],
]

const unorderable = [
  '',
  'v1.0.0',
  '1.0.0.0.0',
  '1.2.3.4.5',
  '1.0.0-',
  '1.0.0-a_b',
  '1.*',
  '[1.0,2.0)',
  '1.0.0+',
  'latest',
]

describe('nuget', () => {
  it('orders four numbers and a prerelease without regard to case', () => {
    expect(findDisorder('nuget', chain)).toEqual([])
    expect(countPairs(chain)).toBeGreaterThan(150)
  })

  it.each(unorderable)('does not order %j', (version) => {
    expect(isOrderable('nuget', version)).toBe(false)
  })
})
