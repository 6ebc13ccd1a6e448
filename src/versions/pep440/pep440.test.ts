import { describe, expect, it } from 'vitest'
import { countPairs, findDisorder, type OrderedChain } from '../ordered-chain.ts'
import { isOrderable } from '../ordering.ts'

const current: OrderedChain = [
  ['0.dev0', '0.0.dev'],
  ['0', '0.0.0', 'v0'],
  ['0.0.0.1'],
  ['0.9.alpha', '0.9a0', '0.9-A', '0.9_alpha_0'],
  ['0.9.beta', '0.9b0'],
  ['0.9.c', '0.9.pre', '0.9.preview', '0.9rc', '0.9-RC0'],
  ['0.9', '0.9.0', '0.09'],
  ['0.9.rev', '0.9.r', '0.9.post0', '0.9-0', '0.9-post'],
  ['1.0.dev0', '1.0.0.dev', '1.dev0', '1.0-DEV'],
  ['1.0.dev1'],
  ['1.0.dev456'],
  ['1.0a1.dev1'],
  ['1.0a1', '1.0.a.1', '1.0-alpha-1', '1.0_ALPHA_1'],
  ['1.0a1.post1.dev2'],
  ['1.0a1.post1'],
  ['1.0a2.dev456'],
  ['1.0a12.dev456'],
  ['1.0a12'],
  ['1.0b1.dev456'],
  ['1.0b2'],
  ['1.0b2.post345.dev456'],
  ['1.0b2.post345', '1.0b2-345'],
  ['1.0rc1.dev456', '1.0c1.dev456'],
  ['1.0rc1', '1.0c1', '1.0pre1', '1.0preview1', '1.0.0-Rc.1'],
  ['1.0', '1', '1.0.0', 'V1.0', ' 1.0 ', '01.00'],
  ['1.0+a'],
  ['1.0+abc.5'],
  ['1.0+abc.7', '1.0+ABC-7', '1.0.0+abc_07'],
  ['1.0+ubuntu'],
  ['1.0+5'],
  ['1.0+5.a'],
  ['1.0+5.0'],
  ['1.0+10'],
  ['1.0.post456.dev34'],
  ['1.0.post456', '1.0-456', '1.0r456', '1.0.rev456'],
  ['1.0.post456+local.1'],
  ['1.0.1'],
  ['1.1.dev1'],
  ['1.1'],
  ['1.2+123abc'],
  ['1.2+123456'],
  ['1.2.r32+123456'],
  ['1.10'],
  ['2019.12.304'],
  ['999999999999999999999999999991'],
  ['999999999999999999999999999999'],
  ['1!0.1.dev1'],
  ['1!0.1', '01!0.1'],
  ['1!1.0'],
  ['2!0'],
]

const legacy: OrderedChain = [
  ['a3'],
  ['-class.-jw.util.version.version-pre'],
  ['latest-build'],
  ['trunk', 'TRUNK'],
  ['0.1-bulbasaur'],
  ['0.1-charmander'],
  ['0.2.0-n653'],
  ['0.3.2d.dev'],
  ['0.3.2d'],
  ['0.7.1.fix1'],
  ['0.7.8p2'],
  ['0.7.10p1'],
  ['0.9-doduo'],
  ['0.9-eevee'],
  ['2.0.0-final', '2-final', '2.0-final'],
  ['2.0.1rc2-git'],
  ['2013-01-21T20:33:09+0100'],
  ['2013-09-11T19-27-10'],
  ['2019-09-12'],
  ['0.dev0'],
  ['0.0.1'],
  ['1.0'],
]

const unorderable = [
  ...[
    '',
    '-',
    '...',
    '>=1.0',
    '==1.0',
    '~=1.0',
    '1.0,<2.0',
    '1.*',
    '1.0 beta',
    '1.0;python',
    '1.0 || 2',
    '(1.0)',
  ],
  ...['@ file:///a/b.whl', '1.0\n2.0', '1.0\u0000', '1.0é', '１.0'],
]

describe('pep440', () => {
  it('orders epochs, prereleases, post-releases, development releases and local versions', () => {
    expect(findDisorder('pep440', current)).toEqual([])
    expect(countPairs(current)).toBeGreaterThan(150)
  })

  it('orders legacy versions below every version of PEP 440', () => {
    expect(findDisorder('pep440', legacy)).toEqual([])
    expect(countPairs(legacy)).toBeGreaterThan(150)
  })

  it.each(unorderable)('does not order %j', (version) => {
    expect(isOrderable('pep440', version)).toBe(false)
  })
})
