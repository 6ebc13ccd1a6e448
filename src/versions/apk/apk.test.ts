import { describe, expect, it } from 'vitest'
import { countPairs, findDisorder, type OrderedChain } from '../ordered-chain.ts'
import { isOrderable, orderingOf, versionKey } from '../ordering.ts'

const chain: OrderedChain = [
  ['0_alpha'],
  ['0', '00'],
  ['0.0'],
  ['0.00'],
  ['0.01'],
  ['0.1.0_alpha_pre2'],
  ['0.1.0_alpha'],
  ['0.1.0_alpha2'],
  ['0.1.0'],
  ['0.12_beta1'],
  ['0.12'],
  ['0.12.3'],
  ['1', '01', '001'],
  ['1.0_alpha'],
  ['1.0_beta'],
  ['1.0_pre20191002222144-r0'],
  ['1.0_pre20210530193627-r0'],
  ['1.0_rc1-r3'],
  ['1.0_rc8'],
  ['1.0_rc10'],
  ['1.0'],
  ['1.0-r0', '1.0-r00'],
  ['1.0-r1'],
  ['1.0-r10'],
  ['1.0~1a2b3c'],
  ['1.0~1a2b3c-r1'],
  ['1.0~1a2b3d'],
  ['1.0_cvs1'],
  ['1.0_svn2'],
  ['1.0_git1'],
  ['1.0_git20220101-r0'],
  ['1.0_hg1'],
  ['1.0_p'],
  ['1.0_p0'],
  ['1.0_p9-r0'],
  ['1.0_p10-r0', '1.0_p010-r0'],
  ['1.0_p10_p'],
  ['1.0_p_p'],
  ['1.0a'],
  ['1.0a_p1'],
  ['1.0b'],
  ['1.0.1'],
  ['1.010'],
  ['1.02.07'],
  ['1.02.10-r1'],
  ['1.06-r1'],
  ['1.06-r2'],
  ['1.09'],
  ['1.1'],
  ['1.1.1k-r0'],
  ['1.1.1q-r0'],
  ['1.9'],
  ['1.10'],
  ['2.59'],
  ['6.3_p20211120-r1'],
  ['013'],
  ['021109-r3'],
  ['20220614-r0'],
  ['999999999999999999999999999991'],
  ['999999999999999999999999999999'],
]

const malformed = [
  ...[
    '',
    '.1',
    '1.',
    '1..0',
    '1.0bc',
    '23_foo',
    '1.2_',
    '1.2_blah',
    '1.0a_invalid',
    '1-r',
    '1-r1-r2',
    '1-ruff',
    '1-1',
  ],
  ...['1.2.0A', '1a.2', '1.0-r1_p1', '1.0~', '1.0~xyz', '1:1.0', 'a', '1.0 1', '1.0_alpha.1', '>1.0'],
]

describe('apk', () => {
  it('orders well-formed versions', () => {
    expect(findDisorder('apk', chain)).toEqual([])
    expect(countPairs(chain)).toBeGreaterThan(150)
  })

  it.each(malformed)('does not order %j', (version) => {
    expect(isOrderable('apk', version)).toBe(false)
  })

  it('has no key', () => {
    expect(versionKey('apk', '1.0-r0')).toBeNull()
  })
})

describe('a letter followed by digits', () => {
  it.each<[a: string, b: string, order: number | undefined]>([
    ['1.9.5p2-r0', '1.9.4-r3', 1],
    ['1.9.5p2-r0', '1.9.5-r0', 1],
    ['1.9.5p2-r0', '1.9.5_p1', 1],
    ['1.9.5p2-r0', '1.9.5o', 1],
    ['1.9.5p2-r0', '1.9.5q', -1],
    ['1.9.5p2-r0', '1.9.6-r0', -1],
    ['1.9.5p2-r0', '1.9.5.1', -1],
    ['1.9.5p2-r0', '1.9.5p2-r0', 0],
    ['1.9.5p2', '1.9.5p_rc1', 1],
    // generation 2 says above, generation 3 below or equal
    ['1.9.5p2', '1.9.5p', undefined],
    ['1.9.5p2', '1.9.5p1', undefined],
    ['1.9.5p2-r0', '1.9.5p-r0', undefined],
    ['1.9.5p2-r0', '1.9.5p2-r1', undefined],
  ])('%s and %s', (a, b, order) => {
    expect(orderingOf('apk').compare(a, b)).toBe(order)
    expect(orderingOf('apk').compare(b, a)).toBe(order === undefined ? undefined : 0 - order)
    expect(isOrderable('apk', a)).toBe(true)
  })
})
