import { expect, test } from 'vitest'
import { mayOverlap } from './vers-overlap.ts'
import { readVersRange } from './vers.ts'

test.each<[range: string, introduced: string, end: string, expected: boolean]>([
  ['vers:npm/>=2.0.0|<3.0.0', '0', '< 1.5.0', false],
  ['vers:npm/>=2.0.0|<3.0.0', '0', '< 2.0.0', false],
  ['vers:npm/>=2.0.0|<3.0.0', '0', '<= 2.0.0', true],
  ['vers:npm/>2.0.0|<3.0.0', '0', '<= 2.0.0', false],
  ['vers:npm/>=2.0.0|<3.0.0', '2.5.0', '', true],
  ['vers:npm/>=2.0.0|<3.0.0', '3.0.0', '', false],
  ['vers:npm/>=2.0.0|<=3.0.0', '3.0.0', '', true],
  ['vers:npm/>=2.0.0|<3.0.0', '2.1.0', '< 2.2.0', true],
  ['vers:npm/<2.0.0', '2.0.0', '', false],
  ['vers:npm/<2.0.0', '1.0.0', '', true],
  ['vers:npm/>=2.0.0', '0', '< 2.0.0', false],
  ['vers:npm/>=2.0.0', '0', '', true],
  ['vers:npm/1.0.0|2.0.0', '1.1.0', '< 2.0.0', false],
  ['vers:npm/1.0.0|2.0.0', '1.1.0', '<= 2.0.0', true],
  ['vers:npm/<1.0.0|>=2.0.0|<3.0.0', '1.0.0', '< 2.0.0', false],
  ['vers:npm/<1.0.0|>=2.0.0|<3.0.0', '1.0.0', '< 2.0.1', true],
  ['vers:npm/!=1.0.0', '1.0.0', '', true],
  ['vers:npm/*', '5.0.0', '', true],
  ['vers:maven/>=2.0-beta9|<2.15.0', '0', '< 2.0-beta9', false],
  ['vers:deb/>=1:1.0|<1:2.0', '0', '< 9.0', false],
])('%s and %s … %s: %s', (text, introduced, end, expected) => {
  const range = readVersRange(text)
  if (range === undefined) throw new Error(`${text} is not read`)
  const [, equal, upper] = /^<(=?) (.+)$/.exec(end) ?? []
  const interval = { introduced, upper: upper ?? null, upperIncluded: equal === '=' }
  expect(mayOverlap(range, interval)).toBe(expected)
})

test.each(['vers:npm', '>=1.0.0', 'vers:npm/', 'vers:npm/>=a b', 'vers:nothing/>=1'])(
  '%j is not read',
  (text) => {
    expect(readVersRange(text)).toBeUndefined()
  },
)
