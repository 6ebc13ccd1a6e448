import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { identify } from '../../identities/identify.ts'
import { thing } from '../../identities/identity-table.ts'
import { orderingOf } from '../../versions/ordering.ts'
import { compileMatches, type CompiledMatches, type CpeRange } from './compile-matches.ts'
import type { VulnerableMatch } from './vulnerable-match.ts'
import { noSurroundings } from '../../identities/surroundings.ts'

type Bounds = Partial<Omit<VulnerableMatch, 'criteria'>>

function match(criteria: string, bounds: Bounds = {}): VulnerableMatch {
  const none = { startIncluding: null, startExcluding: null, endIncluding: null, endExcluding: null }
  return { criteria, ...none, runningOn: [], ...bounds }
}

function compile(criteria: string, bounds: Bounds = {}): CompiledMatches {
  return compileMatches([match(criteria, bounds)])
}

/** What a component of this CPE gets: the comparison of bytes and attributes that SQL makes. */
function resultFor(cpe: string, { ranges }: CompiledMatches): string {
  const identity = identify(thing({ cpe }), noSurroundings)
  const stated = attributesOf(identity.stream)
  const results = ranges
    .filter((range) => range.packageKey === identity.packageKey && range.release === identity.release)
    .filter((range) =>
      attributesOf(range.stream).every(
        (text, place) => ['', stated[place]].includes(text) || stated[place] === '',
      ),
    )
    .filter((range) => identity.decidability === 'no_version' || contains(range, identity.versionKey))
    .map((range) => {
      const isUnsaid = attributesOf(range.stream).some(
        (text, place) => !['', '-'].includes(text) && stated[place] === '',
      )
      return range.doubt ?? (isUnsaid ? 'unsaid' : identity.decidability)
    })
  return results[0] ?? 'none'
}

/** Without the update. */
function attributesOf(stream: string): string[] {
  const texts = stream.split('\u001f')
  return Array.from({ length: 6 }, (_, place) => texts[place] ?? '')
}

function contains({ kind, lowerKey, upperKey, upperIncluded }: CpeRange, key: Uint8Array | null): boolean {
  if (key === null || lowerKey === null || Buffer.compare(lowerKey, key) > 0) return false
  if (kind === 'listed') return Buffer.compare(lowerKey, key) === 0
  if (upperKey === null) return true
  const order = Buffer.compare(key, upperKey)
  return order < 0 || (upperIncluded && order === 0)
}

const any = 'cpe:2.3:a:acme:pump:*:*:*:*:*:*:*:*'
const component = (version: string, update = '*', targetSw = '*') =>
  `cpe:2.3:a:acme:pump:${version}:${update}:*:*:*:${targetSw}:*:*`

describe('compileMatches', () => {
  it.each<[bounds: Bounds, version: string, expected: string]>([
    [{ endExcluding: '2.0' }, '0', 'covered'],
    [{ endExcluding: '2.0' }, '1.9.9', 'covered'],
    [{ endExcluding: '2.0' }, '2.0:rc1', 'covered'],
    [{ endExcluding: '2.0' }, '2.0', 'none'],
    [{ endExcluding: '2.0' }, '2.0.0', 'none'],
    [{ endExcluding: '2.0' }, '2.0a', 'none'],
    [{ endIncluding: '2.0' }, '2.0.0', 'covered'],
    [{ endIncluding: '2.0' }, '2.0:p1', 'none'],
    [{ startIncluding: '1.2', endExcluding: '2.0' }, '1.2', 'covered'],
    [{ startIncluding: '1.2', endExcluding: '2.0' }, '1.2:rc1', 'none'],
    [{ startIncluding: '1.2', endExcluding: '2.0' }, '1.1.9', 'none'],
    [{ startExcluding: '1.2', endExcluding: '2.0' }, '1.2', 'none'],
    [{ startExcluding: '1.2', endExcluding: '2.0' }, '1.2.0', 'none'],
    [{ startExcluding: '1.2', endExcluding: '2.0' }, '1.2a', 'covered'],
    [{ startExcluding: '1.2', endExcluding: '2.0' }, '1.2.0.0.1', 'covered'],
    [{ startIncluding: '3.0' }, '99', 'covered'],
    [{ startIncluding: '0', endExcluding: '1.0' }, '0:rc1', 'covered'],
    [{ startExcluding: '0', endExcluding: '1.0' }, '0', 'none'],
    [{ endExcluding: '2.8.123f' }, '2.8.123e', 'covered'],
    [{ endExcluding: '2021-12-13' }, '2021-12-09', 'covered'],
    [{ endExcluding: '7.1.0-19' }, '7.1.0-9', 'covered'],
    [{ endExcluding: '2.0' }, 'trunk', 'none'],
    // a range without a version in it: any version before its end may be meant
    [{ startIncluding: '2.0', endExcluding: '1.5' }, '1.4', 'unordered_bound'],
    [{ startIncluding: '2.0', endIncluding: '1.5' }, '1.5', 'unordered_bound'],
    [{ startIncluding: '2.0', endExcluding: '1.5' }, '2.1', 'none'],
    [{ startIncluding: '1.5', endExcluding: '1.5' }, '1.4', 'unordered_bound'],
    [{ startIncluding: '1.5', endExcluding: '1.5' }, '1.5', 'none'],
    [{ startIncluding: '1.5', endIncluding: '1.5' }, '1.4', 'none'],
    // a version unknown beside a range of versions: the name alone
    [{ endExcluding: '2.0' }, '*', 'no_version'],
  ])('%j and %s: %s', (bounds, version, expected) => {
    const [text = '', update] = version.split(':')
    expect(resultFor(component(text, update), compile(any, bounds))).toBe(expected)
  })

  it.each<[rule: string, criteria: string, component: string, expected: string]>([
    ['one version', component('1.2'), component('1.2.0'), 'covered'],
    ['another version', component('1.2'), component('1.2.1'), 'none'],
    ['its updates are found by their text', component('1.2'), component('1.2', 'rc1'), 'none'],
    ['an update', component('1.2', 'rc1'), component('1.2-rc1'), 'covered'],
    ['an update is not the release', component('1.2', 'rc1'), component('1.2'), 'none'],
    ['no update', component('1.2', '-'), component('1.2'), 'covered'],
    ['every version', any, component('1.2'), 'any_version'],
    ['no version meets no version', component('-'), component('1.2'), 'none'],
    ['no version meets an unknown one', component('-'), component('*'), 'no_version'],
    ['not applicable on both sides', component('-'), component('-'), 'no_version'],
    ['a pattern', component('1.*'), component('1.2'), 'unordered_bound'],
    ['a pattern of updates', component('1.2', 'sp?'), component('1.2'), 'edition'],
    ['a version without an order', component('vista'), component('vista'), 'none'],
    ['another product', component('1.2'), 'cpe:2.3:a:acme:pump2:1.2', 'none'],
    ['another vendor', component('1.2'), 'cpe:2.3:a:acmee:pump:1.2', 'none'],
    ['another part', component('1.2'), 'cpe:2.3:o:acme:pump:1.2', 'none'],
    ['any vendor', 'cpe:2.3:a:*:pump:1.2', component('1.2'), 'none'],
    ['any product', 'cpe:2.3:a:acme:*:1.2', component('1.2'), 'none'],
    ['no product', 'cpe:2.3:a:acme:-:1.2', component('1.2'), 'none'],
    ['any part', 'cpe:2.3:*:acme:pump:1.2', component('1.2'), 'none'],
    ['a product that begins alike', 'cpe:2.3:a:acme:pump*:1.2', component('1.2'), 'none'],
    ['no CPE', 'acme pump 1.2', component('1.2'), 'none'],
    ['what it runs in, the same', component('1.2', '*', 'rust'), component('1.2', '*', 'rust'), 'covered'],
    ['what it runs in, another', component('1.2', '*', 'rust'), component('1.2', '*', 'node.js'), 'none'],
    ['what it runs in, unsaid', component('1.2', '*', 'rust'), component('1.2'), 'unsaid'],
    ['what it runs in, any', component('1.2'), component('1.2', '*', 'rust'), 'covered'],
    ['an edition', 'cpe:2.3:a:acme:pump:1.2:*:*:*:enterprise:*:*:*', component('1.2'), 'unsaid'],
    ['a hardware', 'cpe:2.3:a:acme:pump:1.2:*:*:*:*:*:x64:*', component('1.2'), 'unsaid'],
    ['upper case', 'cpe:2.3:a:Acme:PUMP:1.2', component('1.2'), 'covered'],
  ])('%s', (_rule, criteria, cpe, expected) => {
    expect(resultFor(cpe, compile(criteria))).toBe(expected)
  })

  it('shows bounds as they were written', () => {
    const shown = (bounds: Bounds) =>
      compile(any, bounds).ranges.map(({ introduced, upperText, upperIncluded }) => [
        introduced,
        upperText,
        upperIncluded,
      ])
    expect(shown({})).toEqual([['0', null, false]])
    expect(shown({ startIncluding: '1.00', endExcluding: '2.0' })).toEqual([['1.00', '2.0', false]])
    expect(shown({ startExcluding: '1.0', endIncluding: '2.0' })).toEqual([['> 1.0', '2.0', true]])
    expect(shown({ startIncluding: '1', startExcluding: '2', endIncluding: '4', endExcluding: '3' })).toEqual(
      [['1', '4', true]],
    )
  })

  it('keeps what no order knows in doubt, and counts it', () => {
    const bounds: Bounds[] = [
      { endExcluding: 'r2' },
      { startIncluding: 'r2', endExcluding: '2.0' },
      { startExcluding: '1 and later' },
    ]
    const doubted = { ranges: [{ doubt: 'unordered_bound' }], unorderedBounds: 1 }
    for (const bound of bounds) expect(compile(any, bound)).toMatchObject(doubted)
    expect(compile(component('1.*'))).toMatchObject(doubted)
  })

  it('puts ranges without a doubt first, and the same range once with all it runs on', () => {
    const { ranges } = compileMatches([
      match(any),
      match(any, { endExcluding: '2.0', runningOn: ['cpe:2.3:h:acme:one'] }),
      match(component('3.0')),
      match(any, { endExcluding: '2.0', runningOn: ['cpe:2.3:h:acme:two', 'cpe:2.3:h:acme:one'] }),
    ])
    expect(ranges.map(({ introduced, upperText, doubt }) => [introduced, upperText, doubt])).toEqual([
      ['0', '2.0', null],
      ['3.0', '3.0', null],
      ['0', null, 'any_version'],
    ])
    expect(ranges[0]?.runningOn).toEqual(['cpe:2.3:h:acme:one', 'cpe:2.3:h:acme:two'])
  })

  it('contains exactly the versions that the comparison of the bounds contains', () => {
    const version = fc
      .tuple(fc.constantFrom('1', '2', '10'), fc.constantFrom('', '.0', '.1', '-rc1', 'a', '-p2', '.0.1'))
      .map((parts) => parts.join(''))
    const bound = fc.option(version)
    const compare = (a: string, b: string) => orderingOf('generic').compare(a, b) ?? NaN
    fc.assert(
      fc.property(
        version,
        fc.record({ startIncluding: bound, startExcluding: bound, endIncluding: bound, endExcluding: bound }),
        (text, bounds) => {
          const { startIncluding, startExcluding, endIncluding, endExcluding } = bounds
          const isAbove =
            startIncluding === null
              ? startExcluding === null || compare(text, startExcluding) > 0
              : compare(text, startIncluding) >= 0
          const isBelow =
            endIncluding === null
              ? endExcluding === null || compare(text, endExcluding) < 0
              : compare(text, endIncluding) <= 0
          const start = startIncluding ?? startExcluding
          const end = endIncluding ?? endExcluding
          const order = start === null || end === null ? -1 : compare(start, end)
          // in one without any version it is the end that counts
          const isTurned = order > 0 || (order === 0 && (startIncluding === null || endIncluding === null))
          const expected = (isAbove || isTurned) && isBelow ? 'inside' : 'none'
          const found = resultFor(component(text), compile(any, bounds))
          expect(found === 'none' ? found : 'inside').toBe(expected)
        },
      ),
      { numRuns: 1_000 },
    )
  })

  it('takes any text without failing', () => {
    const text = fc.oneof(fc.string({ unit: anyCharacter }), fc.constantFrom('*', '-', any, '1.0', ''))
    fc.assert(
      fc.property(text, fc.option(text), fc.option(text), (version, startExcluding, endIncluding) => {
        for (const criteria of [version, `cpe:2.3:a:b:c:${version}`, `cpe:2.3:${version}:b:c`]) {
          for (const range of compile(criteria, { startExcluding, endIncluding }).ranges) {
            expect(range.lowerKey?.length ?? 0).toBeLessThanOrEqual(1_001)
            expect(range.packageKey.startsWith('cpe\u001f')).toBe(true)
          }
        }
      }),
      { numRuns: 500 },
    )
  })
})
