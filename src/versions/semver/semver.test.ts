import { describe, expect, it } from 'vitest'
import { countPairs, findDisorder, type OrderedChain } from '../ordered-chain.ts'
import { isOrderable, versionKey } from '../ordering.ts'

const chain: OrderedChain = [
  ['0.0.0-0', '0.0.0-00', 'v0.0.0-0+1'],
  ['0.0.0-alpha'],
  ['0', '0.0', '0.0.0', 'v0.0.0', '0.0.0+build'],
  ['0.0.1'],
  ['0.1.0-rc.1'],
  ['0.1', '0.1.0'],
  ['0.9.9'],
  ['0.10.0'],
  ['1.0.0-0'],
  ['1.0.0-0.3.7'],
  ['1.0.0-5'],
  ['1.0.0-40'],
  ['1.0.0-999999999999999999999999999991'],
  ['1.0.0--'],
  ['1.0.0-5-Foo'],
  ['1.0.0-5-foo'],
  ['1.0.0-R2'],
  ['1.0.0-alpha'],
  ['1.0.0-alpha.1', '1.0.0-alpha.01'],
  ['1.0.0-alpha.beta'],
  ['1.0.0-alphabet'],
  ['1.0.0-beta'],
  ['1.0.0-beta.2'],
  ['1.0.0-beta.11'],
  ['1.0.0-r100'],
  ['1.0.0-r2'],
  ['1.0.0-rc.1', 'v1.0.0-rc.1+build.5', '1-rc.1'],
  ['1', '1.0', '1.0.0', 'v1.0.0', '1.0.0+exp.sha.5114f85', '1.0.0.0', '01.00.000', ' 1.0.0 '],
  ['1.0.0.1-rc'],
  ['1.0.0.1'],
  ['1.0.0.2.3'],
  ['1.0.1'],
  ['1.2.3'],
  ['1.10.0'],
  ['2.0.0-rc1'],
  ['2.0.0'],
  ['999999999999999999999999999991.0.0'],
  ['999999999999999999999999999999.0.0-1'],
  ['999999999999999999999999999999'],
]

const unorderable = [
  ...[
    '',
    ' ',
    'v',
    'latest',
    '*',
    '1.x',
    '1.*',
    '^1.2.3',
    '~1.2.3',
    '>=1.0.0',
    '1.0.0 || 2.0.0',
    '1.0.0 - 2.0.0',
  ],
  ...['1.0.0-', '1.0.0-a..b', '1.0.0+', '1.0.0+a+b', '1.0.0-beta_1', '1..0', '.1', '1.', '1.0.0beta', 'vv1'],
  ...['(devel)', '1.0.0-é', '1.0.0\u00001', '١.٠.٠', 'git+ssh://git@example.com/a.git', '-1', 'file:../a'],
]

describe('semver', () => {
  it('orders versions as Semantic Versioning does', () => {
    expect(findDisorder('semver', chain)).toEqual([])
    expect(countPairs(chain)).toBeGreaterThan(150)
  })

  it.each(unorderable)('does not order %j', (version) => {
    expect(isOrderable('semver', version)).toBe(false)
    expect(versionKey('semver', version)).toBeNull()
  })
})
