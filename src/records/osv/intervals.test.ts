import { expect, test } from 'vitest'
import type { VersionScheme } from '../../versions/ordering.ts'
import { intervalsOf, isCovered } from './intervals.ts'
import type { OsvEvent } from './read-record.ts'

/** `i` introduced, `f` fixed, `l` last affected, `x` limit. */
function events(text: string): OsvEvent[] {
  const kinds = { i: 'introduced', f: 'fixed', l: 'last_affected', x: 'limit' } as const
  return text
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => ({ kind: kinds[word[0] as keyof typeof kinds], version: word.slice(1) }))
}

function shown(scheme: VersionScheme, text: string): string {
  return intervalsOf(scheme, events(text))
    .intervals.map(
      ({ lower, upper, upperIncluded }) => `[${lower.text},${upper?.text ?? ''}${upperIncluded ? ']' : ')'}`,
    )
    .join(' ')
}

const table: [rule: string, scheme: VersionScheme, events: string, expected: string][] = [
  ['a pair', 'semver', 'i1.0.0 f2.0.0', '[1.0.0,2.0.0)'],
  ['from the beginning', 'semver', 'i0 f2.0.0', '[0,2.0.0)'],
  ["RustSec's beginning", 'semver', 'i0.0.0-0 f2.0.0', '[0.0.0-0,2.0.0)'],
  ['without an end', 'semver', 'i1.0.0', '[1.0.0,)'],
  ['to the last affected one', 'semver', 'i1.0.0 l1.5.0', '[1.0.0,1.5.0]'],
  ['one version', 'bitnami', 'i5.15.12 l5.15.12', '[5.15.12,5.15.12]'],
  ['one version, the other way round', 'bitnami', 'l5.15.12 i5.15.12', '[5.15.12,5.15.12]'],
  ['nothing introduced', 'semver', 'f2.0.0', ''],
  ['no events', 'semver', '', ''],
  ['several', 'semver', 'i1.0.0 f1.5.0 i2.0.0 f2.5.0', '[1.0.0,1.5.0) [2.0.0,2.5.0)'],
  ['unsorted', 'semver', 'f2.5.0 i2.0.0 f1.5.0 i0', '[0,1.5.0) [2.0.0,2.5.0)'],
  [
    'sorted by number, not by text',
    'semver',
    'i10.0.0 f11.0.0 i9.0.0 f9.5.0',
    '[9.0.0,9.5.0) [10.0.0,11.0.0)',
  ],
  ['sorted by the ecosystem', 'pep440', 'f1.0 i1.0rc1', '[1.0rc1,1.0)'],
  ['two beginnings are one', 'semver', 'i1.0.0 i1.2.0 f2.0.0', '[1.0.0,2.0.0)'],
  ['two ends: the first counts', 'semver', 'i1.0.0 f1.5.0 f2.0.0', '[1.0.0,1.5.0)'],
  [
    'fixed and introduced at one version goes on',
    'semver',
    'i0 i1.0.0 f1.0.0 f2.0.0',
    '[0,1.0.0) [1.0.0,2.0.0)',
  ],
  ['introduced and fixed at one version is nothing', 'semver', 'i1.0.0 f1.0.0', '[1.0.0,1.0.0)'],
  ['a limit cuts', 'semver', 'i1.0.0 x2.0.0', '[1.0.0,2.0.0)'],
  ['a limit cuts an end behind it', 'semver', 'i1.0.0 l3.0.0 x2.0.0', '[1.0.0,2.0.0)'],
  ['a limit leaves what is below it', 'semver', 'i1.0.0 f1.5.0 x2.0.0', '[1.0.0,1.5.0)'],
  ['a limit removes what is above it', 'semver', 'i1.0.0 f1.5.0 i3.0.0 x2.0.0', '[1.0.0,1.5.0)'],
  ['the highest limit counts', 'semver', 'i1.0.0 x2.0.0 x3.0.0', '[1.0.0,3.0.0)'],
  ['a limit of * limits nothing', 'semver', 'i1.0.0 x*', '[1.0.0,)'],
  ['without keys', 'maven', 'f2.0 i1.0-beta9 i0 f1.0-alpha1', '[0,1.0-alpha1) [1.0-beta9,2.0)'],
  [
    'of unorderable bounds the pairs remain as they are written',
    'semver',
    'i1.0.0 fnext i2.0.0 f3.0.0 i4.0.0',
    '[1.0.0,next) [2.0.0,3.0.0) [4.0.0,)',
  ],
]

test.each(table)('%s (%s)', (_, scheme, text, expected) => {
  expect(shown(scheme, text)).toBe(expected)
})

test('bounds that no order knows are reported', () => {
  expect(intervalsOf('semver', events('i1.0.0 fnext xlater')).unordered).toEqual(['next', 'later'])
})

const covered: [scheme: VersionScheme, events: string, version: string, expected: boolean | undefined][] = [
  ['semver', 'i1.0.0 f2.0.0', '1.0.0', true],
  ['semver', 'i1.0.0 f2.0.0', '2.0.0-rc1', true],
  ['semver', 'i1.0.0 f2.0.0', '2.0.0', false],
  ['semver', 'i1.0.0 f2.0.0', '1.0.0-rc1', false],
  ['semver', 'i1.0.0 l2.0.0', '2.0.0+build', true],
  ['semver', 'i0 f2.0.0', '0.0.0-0', true],
  ['semver', 'i0 f2.0.0', 'next', undefined],
  ['maven', 'i0 f2.15.0', '2.14.1', true],
  ['maven', 'i2.0-beta9 f2.15.0', '2.0-beta8', false],
  ['dpkg', 'i0 f1:2.0-1', '3.0-1', true],
]

test.each(covered)('%s %s: %s', (scheme, text, version, expected) => {
  expect(isCovered(scheme, version, intervalsOf(scheme, events(text)).intervals)).toBe(expected)
})
