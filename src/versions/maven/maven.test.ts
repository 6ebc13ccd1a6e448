import { describe, expect, it } from 'vitest'
import { countPairs, findDisorder, type OrderedChain } from '../ordered-chain.ts'
import { isOrderable, orderingOf, versionKey } from '../ordering.ts'

const qualifiers: OrderedChain = [
  ['0-alpha'],
  ['0', '0.0', '0.0.0', '0-final-ga', '0.0.0-0.0.0'],
  ['0.0.1'],
  ['1-alpha-snapshot', '1.0-alpha-SNAPSHOT'],
  ['1-alpha', '1.0.0-alpha', '1.0.Alpha', '1-a0'],
  ['1-alpha-1-snapshot'],
  ['1-alpha-1', '1a1', '1-alpha1', '1.0a1', '1-ALPHA-01'],
  ['1-alpha-2'],
  ['1-alpha-10'],
  ['1-beta-1', '1b1', '1.0.0.Beta1', '1.0-b1'],
  ['1-beta-123'],
  ['1-m1', '1-milestone-1', '1Milestone1', '1.0.0-M1'],
  ['1-m11'],
  ['1-rc', '1cr', '1.0-CR'],
  ['1-rc1', '1.0.RC1', '1.0-RC1', '1.0.0.CR1', '1-cr-1'],
  ['1-rc2', '1.0.RC2', '1.0-RC2'],
  ['1-rc10'],
  ['1-SNAPSHOT', '1.0-snapshot', '1.0.0.SNAPSHOT'],
  [
    '1',
    '1.0',
    '1.0.0',
    '1-0',
    '1.',
    '1-',
    '01',
    '1ga',
    '1-GA',
    '1.0.0.Final',
    '1-release',
    '1.0.final',
    '1.0.0.RELEASE',
  ],
  ['1-sp', '1.0.sp', '1.0-SP'],
  ['1-sp-1', '1.0.0.SP1'],
  ['1-sp-4'],
  ['1-abc', '1.0.ABC'],
  ['1-foo', '1.0.0-foo.0.0', '1foo'],
  ['1-foo2'],
  ['1-foo10'],
  ['1-x'],
  ['1-xyz'],
  ['1-ga-1'],
  ['1-1', '1-01', '1.0-1'],
  ['1-2'],
  ['1.0.0.1'],
  ['1.0.1-foo'],
  ['1.0.1-1'],
  ['1.0.2.v20150114'],
  ['1.1-rc1'],
  ['1.1', '1.01', '1.1.0'],
  ['1.1.1'],
  ['1.9'],
  ['1.10'],
  ['2'],
]

const numbers: OrderedChain = [
  ['0.0.0-2021-05-17T01-01-51-5ec03a8b'],
  ['6.1.0rc3'],
  ['6.1.0'],
  ['6.1H.5-beta'],
  ['31.1-android'],
  ['31.1-jre'],
  ['20190126.230843'],
  ['1234567890.12345'],
  ['123456789012345.1H.5-beta'],
  ['12345678901234567890.1H.5-beta'],
  ['999999999999999999999999999991'],
  ['999999999999999999999999999999'],
]

const illegal = [
  ...[
    '',
    '[1.0,2.0)',
    '1.0,2.0',
    '(,1.0]',
    '${project.version}',
    '1.0-${revision}',
    '1/2',
    '1:2',
    '1.*',
    '1?',
  ],
  ...['<1.0', '1 0', '1.0\u0000', '1.0-é'],
]

describe('maven', () => {
  it('orders qualifiers, aliases and separators', () => {
    expect(findDisorder('maven', qualifiers)).toEqual([])
    expect(countPairs(qualifiers)).toBeGreaterThan(150)
  })

  it('orders numbers of any length', () => {
    expect(findDisorder('maven', numbers)).toEqual([])
  })

  it('has no key, since three versions can form a circle', () => {
    const { compare } = orderingOf('maven')
    expect([compare('1-alpha', '1'), compare('1', '1.sp.1'), compare('1.sp.1', '1-alpha')]).toEqual([
      -1, -1, -1,
    ])
    expect(versionKey('maven', '1')).toBeNull()
  })

  it.each(illegal)('does not order %j', (version) => {
    expect(isOrderable('maven', version)).toBe(false)
  })
})
