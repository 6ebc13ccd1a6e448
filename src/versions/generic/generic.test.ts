import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countPairs, findDisorder, type OrderedChain } from '../ordered-chain.ts'
import { isOrderable, versionKey } from '../ordering.ts'
import { justAbove } from './just-above.ts'
import { prereleaseRanks } from './words.ts'

/** Versions as CPE names, NVD's range bounds and vendors write them. */
const chain: OrderedChain = [
  ['0-rc1', '0.0.0-rc.1'],
  ['0', '0.0', '0.0.0', '0-final'],
  ['0.0.1'],
  ['0.9.8', '0.9.8+build5'],
  ['0.9.8a'],
  ['0.9.8zh'],
  ['1.0-dev', '1.0.0-SNAPSHOT', '1-nightly', '1.0.dev0'],
  ['1.0-dev1'],
  ['1.0-alpha', '1.0.0-alpha0'],
  ['1.0-alpha1', '1.0-ALPHA1', '1.0_alpha_1', '1.0alpha1'],
  ['1.0-alpha2'],
  ['1.0-alpha10'],
  ['1.0-beta1'],
  ['1.0-beta1-p1', '1.0-beta1_patch1'],
  ['1.0-beta1.1'],
  ['1.0-beta9'],
  ['1.0-milestone3'],
  ['1.0-pre1', '1.0-preview1'],
  ['1.0-rc1', '1.0.0-RC1', '1.0.0.CR1', '1.0_release_candidate_1', 'v1.0-rc1'],
  ['1.0-rc2'],
  ['1', '1.0', '1.0.0', 'v1.0', 'V1', 'version-1.0', '01', '1.00', '1.0.Final', '1.0-ga', '1.0+8', '1.0-0'],
  ['1.0a', '1.0.0a', '1.0-a'],
  ['1.0a1'],
  ['1.0b'],
  ['1.0-hf2', '1.0_hotfix2'],
  ['1.0-p1', '1.0p1', '1.0-patch1', '1.0_pl1', '1.0-release-p1'],
  ['1.0-p2'],
  ['1.0-p10'],
  ['1.0-sp1'],
  ['1.0-sp1-p1'],
  ['1.0-sp1.1'],
  ['1.0-u202', '1.0-update202', '1.0_update_202'],
  ['1.0.0.1'],
  ['1.0.1', '1-0-1'],
  ['1.0.2', '1.0_2', '1.0-2', '1.0(2)'],
  ['1.0.4_8'],
  ['1.0.10'],
  ['1.1', '1.01', '01.1'],
  ['1.1.1'],
  ['1.1.1k', '1.1.1K'],
  ['1.1.1k-fips'],
  ['1.1.1t'],
  ['1.1.1u'],
  ['1.1.1w'],
  ['1.1.2'],
  ['1.10'],
  ['2.8.99'],
  ['2.8.123'],
  ['2.8.123e'],
  ['2.8.123f'],
  ['2.8.124'],
  ['3.0.0.4.386_45956', '3.0.0.4.386.45956'],
  ['3.0.0.4.386_46061'],
  ['7.0.10-9'],
  ['7.0.10-34'],
  ['7.1.0-0', '7.1.0'],
  ['7.1.0-19'],
  ['12.2(33)sxi', '12.2.33.sxi'],
  ['12.2(33)sxi4'],
  ['12.2(33)sxj'],
  ['12.2(55)'],
  ['15.2(3)e'],
  ['15.2(3)e1'],
  ['18.4', '18.4-final'],
  ['18.4-r1'],
  ['18.4-r1-s1'],
  ['18.4-r1-s10'],
  ['18.4-r2'],
  ['19.1'],
  ['2007'],
  ['2007a'],
  ['2019.1'],
  ['2019.1-sp1912'],
  ['2019.2'],
  ['2021-12-13', '2021.12.13'],
  ['2021-12-14'],
  ['20070929a'],
  ['20211201'],
  ['999999999999999999999999999991'],
  ['999999999999999999999999999999'],
]

const unorderable = [
  '',
  '*',
  '-',
  'v',
  '.1',
  'r2',
  'trunk',
  'vista',
  'xp-sp1',
  'b1.2',
  '1:2.0',
  '1.0~rc1',
  '1.0^git1',
  '1.0 build 5',
  '1.0 and earlier',
  '1.0,2',
  '1.0/2',
  '>1.0',
  '1.*',
  '1.?',
  '1.0#2',
  '1.0+é',
  'é',
  '2f86d6a1-5cf7cefb',
  '7e48312',
  '1326539a0a0a41b2c3d4e5f60718293a4b5c6d7e',
]

const words = fc.constantFrom('a', 'z', 'sp', 'patch', 'update', 'final', 'build', ...prereleaseRanks.keys())
const pieces = fc.oneof(
  fc.tuple(fc.constantFrom('.', '-', '_', ''), words).map((parts) => parts.join('')),
  fc
    .tuple(fc.constantFrom('.', '-', '_'), fc.constantFrom('0', '1', '2', '10', '255'))
    .map((parts) => parts.join('')),
)
const versions = fc
  .tuple(fc.constantFrom('0', '1', '2', '10'), fc.array(pieces, { maxLength: 5 }))
  .map(([first, rest]) => first + rest.join(''))

function keyOf(version: string): Uint8Array {
  const key = versionKey('generic', version)
  if (key === null) throw new Error(`${version} has no key`)
  return key
}

describe('generic', () => {
  it('orders numbers, words before and above the release, and signs that only separate', () => {
    expect(findDisorder('generic', chain)).toEqual([])
    expect(countPairs(chain)).toBeGreaterThan(5_000)
  })

  it.each(unorderable)('does not order %j', (version) => {
    expect(isOrderable('generic', version)).toBe(false)
  })

  it('puts every step before a release below it, and every other word above', () => {
    fc.assert(
      fc.property(versions, words, (version, text) => {
        const isRelease = text === 'final'
        const expected = isRelease ? 0 : prereleaseRanks.has(text) ? -1 : 1
        expect(Math.sign(Buffer.compare(keyOf(`${version}-${text}`), keyOf(version)))).toBe(expected)
      }),
    )
  })

  it('keeps a version with a word below the same version with a further number', () => {
    fc.assert(
      fc.property(versions, words, fc.integer({ min: 1 }), (version, text, count) => {
        expect(Buffer.compare(keyOf(`${version}-${text}`), keyOf(`${version}.${count}`))).toBeLessThan(
          text === 'final' ? 1 : 0,
        )
      }),
    )
  })
})

describe('justAbove', () => {
  it('excludes its version as a lower bound, and no version above it', () => {
    fc.assert(
      fc.property(versions, versions, (bound, version) => {
        const lower = justAbove(keyOf(bound))
        const isAbove = Buffer.compare(keyOf(version), keyOf(bound)) > 0
        expect(Buffer.compare(lower, keyOf(version)) <= 0).toBe(isAbove)
      }),
      { numRuns: 2_000 },
    )
  })

  it('leaves the key it is given alone', () => {
    const key = keyOf('1.0')
    const before = Buffer.from(key)
    justAbove(key)
    expect(before.equals(key)).toBe(true)
  })
})
