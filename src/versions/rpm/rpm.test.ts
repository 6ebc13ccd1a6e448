import { describe, expect, it } from 'vitest'
import { countPairs, findDisorder, type OrderedChain } from '../ordered-chain.ts'
import { isOrderable } from '../ordering.ts'

const versions: OrderedChain = [
  ['~'],
  ['~1'],
  ['+', '_', '+_', 'α'],
  ['^'],
  ['a', 'a+', 'a_', '+a', '_a'],
  ['xyz.4'],
  ['xyz10'],
  ['xyz10.1'],
  ['0~rc1'],
  ['0', '0:0', '00'],
  ['1.0~rc1~git123'],
  ['1.0~rc1'],
  ['1.0~rc1^git1'],
  ['1.0~rc2'],
  ['1.0', '1_0', '1.0.', '1..0', '1+0', '0:1.0', '1.00', '1.0.α'],
  ['1.0^'],
  ['1.0^git1~pre'],
  ['1.0^git1'],
  ['1.0^git2'],
  ['1.0^20160101'],
  ['1.0^20160101^git1'],
  ['1.0^20160102'],
  ['1.0a'],
  ['1.0aa'],
  ['1.0arc1'],
  ['1.0.rc1'],
  ['1.0.1'],
  ['1.01', '1.1', '1.0001'],
  ['1.1.a'],
  ['2.0.1'],
  ['2.0.1a'],
  ['4.999.9'],
  ['5.0'],
  ['5.5p1'],
  ['5.5p2'],
  ['5.5p10'],
  ['10xyz'],
  ['10.1xyz'],
  ['20101121'],
  ['20101122'],
  ['999999999999999999999999999991'],
  ['999999999999999999999999999999'],
]

const releases: OrderedChain = [
  ['1'],
  ['1-', '1-_'],
  ['1-0', '1-0.'],
  ['1-1', '01-1', '1-1.', '0:1-1'],
  ['1-1.a'],
  ['1-1.ael7b'],
  ['1-1.e'],
  ['1-1.el7'],
  ['1-1.1'],
  ['1-1.4'],
  ['1-2'],
  ['1-123'],
  ['1.1.1k-7.el8_6'],
  ['1.1.1k-7.el9'],
  ['2.4.21-9.EL'],
  ['2.4.21-9.0.1.EL'],
  ['3.10.0-229.el7'],
  ['3.10.0-229.1.2.ael7b'],
  ['3.10.0-229.1.2.el7'],
  ['3.10.0-229.4.2.ael7b'],
  ['4.18.0-372.9.1.el8'],
  ['4.18.0-372.32.1.el8_6'],
  ['4.18.0-1000.module+el8.6.0+15000+1234abcd'],
  ['1:0'],
  ['1:1~1'],
  ['01:1', '1:1'],
  ['1:1-1'],
  ['1:2-1.el9'],
  ['04:2'],
  ['13:5'],
  ['130:5'],
]

const textBeforeColon: OrderedChain = [['(none):1.0-1', 'none:1.0-1'], ['1.m+e2:1'], ['4.m+e1:1']]

describe('rpm', () => {
  it('orders versions segment by segment', () => {
    expect(findDisorder('rpm', versions)).toEqual([])
    expect(countPairs(versions)).toBeGreaterThan(150)
  })

  it('orders epochs before versions before releases', () => {
    expect(findDisorder('rpm', releases)).toEqual([])
  })

  it('reads text before a colon as part of the version', () => {
    expect(findDisorder('rpm', textBeforeColon)).toEqual([])
  })

  it.each(['', '-1', '1:', '1:-1', '1.0 2', '1.0\u00002', '1.0\u200b\n2'])('does not order %j', (version) => {
    expect(isOrderable('rpm', version)).toBe(false)
  })
})
