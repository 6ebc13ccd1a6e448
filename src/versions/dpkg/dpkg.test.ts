import { describe, expect, it } from 'vitest'
import { countPairs, findDisorder, type OrderedChain } from '../ordered-chain.ts'
import { isOrderable } from '../ordering.ts'

const debian: OrderedChain = [
  ['0~~'],
  ['0~~a'],
  ['0~'],
  ['0', '0-0', '0:0', '00', '0-00', '0:00-000'],
  ['0-1~'],
  ['0-1'],
  ['0a'],
  ['0.0', '0.'],
  ['0.0.0', '0.0.0-0', '0:0.0.0', '00:0.0.0-00'],
  ['0.0.0-1'],
  ['0.0.0-10'],
  ['0.0.0-a', '0:0.0.0-a', '0.0.0-a0'],
  ['0.0.1'],
  ['0.0.9'],
  ['0.0.10'],
  ['0.10.0'],
  ['1.2.3~rc1-1'],
  ['1.2.3-1~deb7u1'],
  ['1.2.3-1'],
  ['1.2.3-1+b1'],
  ['1.2.3-1.1'],
  ['1.2.3+dfsg-1'],
  ['1.2.3.1-1'],
  ['1.18.3~beta+dfsg1-5'],
  ['1.18.3+dfsg1-5+deb12u1'],
  ['1.18.3+dfsg1-5+deb12u3'],
  ['1.18.3+dfsg1-5+deb12u10'],
  ['2.7.4+reloaded2-13'],
  ['2.7.4+reloaded2-13ubuntu1'],
  ['2.7.4+reloaded2-13+deb9u1'],
  ['5.10.2-6'],
  ['5.10.2-6esm1'],
  ['5.10.2-6ubuntu0.1~esm2'],
  ['5.10.2-6ubuntu0.1'],
  ['6.1-1Z'],
  ['6.1-1a'],
  ['6.1-1z'],
  ['6.1-1+'],
  ['6.1-1.'],
  ['20220614-1'],
  ['999999999999999999999999999991'],
  ['999999999999999999999999999999'],
  ['1:0', '01:0'],
  ['1:1.2.3-1'],
  ['2:0.0.44-1'],
  ['2:0.0.44-nobin'],
  ['10:0:1'],
]

const opam: OrderedChain = [
  ['0.9'],
  ['0.12.0~beta1'],
  ['0.12.0'],
  ['0.12.0+1'],
  ['4.14.0', '4.14.00'],
  ['4.14.0+options'],
  ['5.0.0~rc1'],
  ['5.0.0'],
  ['v0.9.0'],
  ['v0.15.1'],
  ['v0.16~preview.1'],
  ['v0.16.0'],
  ['v0.16.0_1'],
]

const unorderable = [
  '',
  ':1',
  '1:',
  'a:1',
  '-1',
  '1-',
  '1.0 2',
  '1.0/2',
  '1.0@2',
  '1^2',
  '1.0-é',
  '*',
  '<0.1',
]

describe('dpkg', () => {
  it('orders Debian and Ubuntu versions', () => {
    expect(findDisorder('dpkg', debian)).toEqual([])
    expect(countPairs(debian)).toBeGreaterThan(150)
  })

  it('orders opam versions', () => {
    expect(findDisorder('dpkg', opam)).toEqual([])
  })

  it.each(unorderable)('does not order %j', (version) => {
    expect(isOrderable('dpkg', version)).toBe(false)
  })
})
