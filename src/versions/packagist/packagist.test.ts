import { describe, expect, it } from 'vitest'
import { countPairs, findDisorder, type OrderedChain } from '../ordered-chain.ts'
import { isOrderable, orderingOf } from '../ordering.ts'

const chain: OrderedChain = [
  ['0', '0.0', '0.0.0.0', 'v0'],
  ['0.9.346'],
  ['0.93'],
  ['1.0-unheard', '1.0-of'],
  ['1.0-dev', 'v1.0-dev', '1.0.dev', '1.0dev', '1.0.0-dev'],
  ['1.0-dev1'],
  ['1.0.0-alpha-dev'],
  ['1.0-alpha', '1.0a', '1.0-A', '1.0.0-alpha', '1.0.0-alpha+build.7', '1.0_ALPHA+1'],
  ['1.0.0-a1-dev', '1.0-alpha1dev'],
  ['1.0a1', 'v1.0a1', '1.0-alpha1', '1.0.alpha.1', '1.0.0.0-ALPHA.1'],
  ['1.0a2', '1.0.0-alpha-2'],
  ['1.0.0-alpha2.1', '1.0.0-alpha-2.1+foo'],
  ['1.0b1', '1.0-beta1', '1.0-BETA1', '1.0.b.1'],
  ['1.0-beta1.1', '1.0b1.1'],
  ['1.0beta2', '1.0-b.2', '1.0.0.beta2'],
  ['1.0-beta11'],
  ['1.0RC', '1.0-rc'],
  ['1.0RC1', '1.0rc1', '1.0-RC.1', 'V1.0-RC1', '1.0.0-rC1'],
  ['1.0.0rc2', '1.0.0.rc2', '1.0RC2'],
  ['1.0', 'v1.0', 'V1.0', '01.00', '1', '1.0.0', '1.0.0.0', '1.0.0+foo', '1.0-stable', '1.0.0-stable'],
  ['1.0.0.0.0'],
  ['1.0.0pl1-dev'],
  ['1.0.0pl1', '1.0.0-p1', '1.0.0-patch1', '1.0pl1', 'v1.0pl1', '1.0-p1', '1.0.0.0-patch.1'],
  ['1.0.0-p2'],
  ['1.0.0.1'],
  ['1.0.1'],
  ['1.2-dev'],
  ['1.2', '1.2.0'],
  ['1.22'],
  ['1.22.01', '1.22.1.0'],
  ['4.3-2beta1'],
  ['4.3-2beta5'],
  ['4.3-2RC1'],
  ['4.3-2RC2'],
  ['4.3-2', '4.3.2'],
  ['6.3.5.4'],
  ['6.4.0.0-RC1', '6.4-RC1'],
  ['6.4.0.0', '6.4'],
  ['10'],
  ['2010-01-02', '2010.01.02'],
  ['2010-01-02.5'],
  ['2010.1.555'],
  ['20100102'],
  ['20100102-203040'],
  ['20100102-203040-p1'],
  ['999999999999999999999999999991'],
  ['999999999999999999999999999999'],
]

const unorderable = [
  ...[
    '',
    'dev-master',
    'dev-main',
    'dev-foo',
    'master',
    '1.x-dev',
    '2.0.x-dev',
    '1.*',
    '^1.0',
    '1.2.3.#',
    '1.0-',
    '1.0@beta',
    'stable',
    '1.0+',
    '1.0 + 1',
  ],
  ...['1.0 as 2.0', '1.0~beta', 'v', 'vv1', '#', '1.0]]></purl>'],
]

describe('packagist', () => {
  it('pads to four numbers; orders dev, alpha, beta, RC, the release, then patch levels', () => {
    expect(findDisorder('packagist', chain)).toEqual([])
    expect(countPairs(chain)).toBeGreaterThan(150)
  })

  it.each(unorderable)('does not order %j', (version) => {
    expect(isOrderable('packagist', version)).toBe(false)
  })

  it('says nothing about a branch and a release', () => {
    expect(orderingOf('packagist').compare('dev-main', '1.0.0')).toBeUndefined()
    expect(orderingOf('packagist').compare('1.0.0', '1.x-dev')).toBeUndefined()
  })
})
