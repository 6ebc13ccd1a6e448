import { describe, expect, it } from 'vitest'
import { countPairs, findDisorder, type OrderedChain } from '../ordered-chain.ts'
import { isOrderable } from '../ordering.ts'

const chain: OrderedChain = [
  ['0.a'],
  ['0', '0.0', '0.0.0'],
  ['0.0.0.1'],
  ['0.9'],
  ['1.A'],
  ['1.a.b'],
  ['1.a.0.b', '1.0.0.a.0.b'],
  ['1.a.0.0.b'],
  ['1.a', '1.0.a', '1.0.0.a.0', '1.a0', '1a'],
  ['1.a.0.0.1'],
  ['1.a.0.1', '1.0.a.00.01'],
  ['1.a.1', '1.0.a1', '1a1'],
  ['1.a.2', '1.0.a2', '1.0.a.2'],
  ['1.a.9', '1.0.a9'],
  ['1.a.10', '1.0.a10', '1.0.a.10'],
  ['1.ab'],
  ['1.b1', '1.0.b1', '1b1'],
  ['1.beta'],
  ['1.gamma', '1gamma'],
  ['1.0.pre.rc1', '1.0-rc1', '1.0-rc.1'],
  ['1.0.pre.1', '1.0-1', '1.pre1'],
  ['1.0.rc1'],
  ['1', '1.0', '1.0.0', '01.00', '1.0.0-x86_64-linux', '1.0-java'],
  ['1.0.0.0.0.1'],
  ['1.0.0.1'],
  ['1.2.0.a'],
  ['1.2.3.pre', '1.2.3.pre-x86-mingw32', '1.2.3.pre-arm64-darwin-21'],
  [
    '1.2.3',
    '1.2.3-x86_64-linux',
    '1.2.3-x86_64-linux-musl',
    '1.2.3-java',
    '1.2.3-x64-mingw-ucrt',
    '1.2.3-ruby',
  ],
  ['1.2.4.beta'],
  ['1.2.4', '1.2.4-aarch64-linux-gnu', '1.2.4-universal-darwin-20', '1.2.4-x86-mswin32-60'],
  ['1.3.0'],
  ['3.2'],
  ['3.10'],
  ['999999999999999999999999999991'],
  ['999999999999999999999999999999.a'],
  ['999999999999999999999999999999'],
]

const unorderable = [
  '',
  'a.1',
  'v1.0',
  '1..0',
  '1.',
  '>= 1.0',
  '1.0_1',
  '1.0-',
  '1.0+1',
  '~> 1.0',
  'junk',
  '1.2.3-x86_64_linux',
]

describe('rubygems', () => {
  it('orders words below numbers and leaves platforms aside', () => {
    expect(findDisorder('rubygems', chain)).toEqual([])
    expect(countPairs(chain)).toBeGreaterThan(150)
  })

  it.each(unorderable)('does not order %j', (version) => {
    expect(isOrderable('rubygems', version)).toBe(false)
  })
})
