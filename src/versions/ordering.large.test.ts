import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../test/support/any-character.ts'
import {
  isOrderable,
  keyGeneration,
  orderingOf,
  versionKey,
  type VersionScheme,
  versionSchemes,
} from './ordering.ts'
import { textWith } from '../../test/support/expected.ts'

/** Versions that look like those of a scheme: a beginning, then pieces that its rule tells apart. */
function made(beginnings: readonly string[], pieces: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...beginnings), fc.array(fc.constantFrom(...pieces), { maxLength: 7 }))
    .map(([beginning, rest]) => beginning + rest.join(''))
}

const numbers = ['0', '1', '2', '10', '01', '99999999999999999999']
const dotted = ['.0', '.1', '.2', '.10', '.00', '.01', '.99999999999999999999']
const semverPieces = [
  ...dotted,
  '-alpha',
  '-alpha.1',
  '-rc.1',
  '-0',
  '-1',
  '-1.a',
  '-a-b',
  '.x',
  '+build',
  '+1',
]

const samples: Record<VersionScheme, fc.Arbitrary<string>> = {
  semver: made([...numbers, 'v1'], semverPieces),
  go: made(
    [...numbers, 'v1', 'go1', 'go1.21'],
    [...semverPieces, 'rc1', 'beta2', '-0.20200101000000-abcdef'],
  ),
  pep440: made(
    [...numbers, '1!0', 'v1', 'x'],
    [
      ...dotted,
      'a',
      'a1',
      '.b2',
      'rc1',
      '-1',
      '.post',
      'post2',
      '.dev',
      'dev3',
      '+l',
      '+1.a',
      '-',
      '_',
      'x',
      'final',
    ],
  ),
  maven: made(
    [...numbers, 'a'],
    [
      ...dotted,
      '-1',
      '-0',
      '-',
      '.',
      'alpha',
      '-alpha',
      '.rc',
      'cr1',
      '-sp',
      'ga',
      '-final',
      'x',
      '-foo',
      '.foo1',
    ],
  ),
  rubygems: made(numbers, [...dotted, 'a', 'b', '.a', '.b', '.0', '.0.0', '-rc', '-1', '-java']),
  nuget: made(numbers, ['.0', '.1', '.10', '-alpha', '-ALPHA', '-1', '-rc.1', '+b', '.a', '.B']),
  packagist: made(
    [...numbers, 'v1'],
    [...dotted, '-dev', 'a', 'alpha1', '-beta', 'RC1', '-RC', 'pl1', '-p2', '+x1', '-foo', '_1', '-1'],
  ),
  dpkg: made(
    [...numbers, '1:1', '0:1', 'v1'],
    [...dotted, '~', '~~', '+', '-', '-1', 'a', 'Z', 'z', '+deb12u3', '~rc1', '_', ':', '0', '00'],
  ),
  rpm: made(
    [...numbers, '1:1', '0:1', 'a', '~', '^'],
    [...dotted, '~', '^', '-', '-1', '.el9', '_', '+', 'a', 'b', 'Z', ':', '~rc1', '^git1', 'α'],
  ),
  apk: made(numbers, [
    ...dotted,
    'a',
    'b',
    '_alpha',
    '_rc1',
    '_p',
    '_p1',
    '_git2',
    '~ab',
    '~12',
    '-r0',
    '-r1',
  ]),
  cran: made(numbers, [...dotted, '-0', '-1', '-10']),
  hackage: made(numbers, dotted),
  pub: made(numbers, semverPieces),
  julia: made([...numbers, 'v1'], semverPieces),
  bitnami: made(numbers, [...semverPieces, '-r1', '-1-a', '-10']),
  conan: made(
    [...numbers, 'cci', '*'],
    [...dotted, 'a', 'b', '.a', '*', '-pre1', '-', '-1', '+b', '+1', '_', '~', '.*'],
  ),
  generic: made(
    [...numbers, 'v1', 'r2'],
    [...dotted, 'a', 'e', '-rc1', '_beta', ':', '-p1', '-sp2', 'u', '(3)', '-', '-0', '+8', '-final', 'dev'],
  ),
}

/** Where the rule is a total order; Maven's is not. */
const transitive = versionSchemes.filter((scheme) => scheme !== 'maven')
const keyed = versionSchemes.filter((scheme) => orderingOf(scheme).key !== null)

const hostile = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc
    .tuple(fc.constantFrom('1.', '1-', 'a1', '1~', '^', '0', '-', ':', '1_p1', '+1', '.0'), fc.nat(600))
    .map(([piece, count]) => piece.repeat(count)),
)

describe('every ordering', () => {
  it.each(versionSchemes)('%s: names its rule, and its samples can be ordered often enough', (scheme) => {
    expect(orderingOf(scheme)).toMatchObject({ scheme, rule: textWith('https://') })
    const share = fc
      .sample(samples[scheme], { numRuns: 1000, seed: 1 })
      .filter((v) => isOrderable(scheme, v)).length
    expect(share).toBeGreaterThan(150)
  })

  it.each(versionSchemes)('%s: the order of two versions does not depend on which comes first', (scheme) => {
    const { compare } = orderingOf(scheme)
    fc.assert(
      fc.property(samples[scheme], samples[scheme], (a, b) => {
        const order = compare(a, b)
        const reversed = compare(b, a)
        expect(order).toBe(reversed === undefined ? undefined : 0 - reversed)
        expect(order === undefined).toBe(compare(a, a) === undefined || compare(b, b) === undefined)
        expect(compare(a, a) ?? 0).toBe(0)
      }),
      { numRuns: 500 },
    )
  })

  it.each(transitive)('%s: is transitive', (scheme) => {
    const { compare } = orderingOf(scheme)
    fc.assert(
      fc.property(fc.array(samples[scheme], { minLength: 3, maxLength: 6 }), (versions) => {
        const sorted = versions.filter((v) => isOrderable(scheme, v)).toSorted((a, b) => compare(a, b) ?? 0)
        for (const [index, older] of sorted.entries())
          for (const newer of sorted.slice(index)) expect(compare(older, newer)).toBeLessThanOrEqual(0)
      }),
      { numRuns: 500 },
    )
  })

  it.each(keyed)('%s: keys are in the order of the versions', (scheme) => {
    const { compare } = orderingOf(scheme)
    fc.assert(
      fc.property(samples[scheme], samples[scheme], (a, b) => {
        const keyA = versionKey(scheme, a)
        const keyB = versionKey(scheme, b)
        expect(keyA === null || keyB === null).toBe(compare(a, b) === undefined)
        if (keyA === null || keyB === null) return
        expect(Buffer.compare(keyA, keyB), `${a} and ${b}`).toBe(compare(a, b))
        expect(keyA.length).toBeGreaterThan(0)
      }),
      { numRuns: 1000 },
    )
  })

  it.each(versionSchemes)('%s: takes any text without failing', (scheme) => {
    fc.assert(
      fc.property(hostile, samples[scheme], (text, version) => {
        const order = orderingOf(scheme).compare(text, version)
        if (!isOrderable(scheme, text)) expect(versionKey(scheme, text)).toBeNull()
        if (order !== undefined) expect([-1, 0, 1]).toContain(order)
      }),
      { numRuns: 500 },
    )
  })

  it.each(versionSchemes)('%s: orders nothing empty, and nothing longer than 512 characters', (scheme) => {
    expect(isOrderable(scheme, '')).toBe(false)
    expect(isOrderable(scheme, '  ')).toBe(false)
    expect(isOrderable(scheme, `1.${'0'.repeat(510)}`)).toBe(true)
    expect(isOrderable(scheme, `1.${'0'.repeat(511)}`)).toBe(false)
  })
})

describe('keys', () => {
  it('have no place above 1 000 bytes, and such versions cannot be ordered', () => {
    const version = 'a1'.repeat(256)
    expect(orderingOf('dpkg').key?.(version)?.length).toBeGreaterThan(1000)
    expect(versionKey('dpkg', version)).toBeNull()
    expect(isOrderable('dpkg', version)).toBe(false)
  })

  it('stay as they are while the generation does', () => {
    const keys = keyed.flatMap((scheme) => pinned.map((version) => versionKey(scheme, version) ?? 'none'))
    const digest = keys
      .reduce((hash, key) => hash.update(key).update('|'), createHash('sha256'))
      .digest('hex')
    // Another digest means other keys: raise the generation, then write the new digest here.
    expect([keyGeneration, digest]).toEqual([
      3,
      'c102e595e7fed19bf6e022f83ce659cdc5814f8722aebe125721019ae2f4b81d',
    ])
  })
})

const pinned = [
  ...[
    '0',
    '1.10.0',
    'v1.2.3',
    '1.2.3-rc.1',
    '1.2.3-RC1+b2',
    '1.2.3.4',
    '1.0a1.post2.dev3+l.4',
    '1!2.0',
    'trunk',
  ],
  ...[
    '1:2.3~rc1-4+deb12u3',
    '1.0^git1-2.el9',
    '1.0.0.a.0.b',
    '1-2-3',
    '1.2.3-4',
    '1.1.1w',
    '1.0-patch1',
    '1.0-dev',
  ],
  ...['v0.0.0-20200101120000-abcdefabcdef', 'go1.21rc2', '1.2.3-x86_64-linux', `1${'0'.repeat(99)}`],
]
