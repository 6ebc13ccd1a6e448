import { describe, expect, it } from 'vitest'
import type { ShownDecidability } from '../../contract/identity.ts'
import { lostCoverage, type CountedCoverage } from './lost-coverage.ts'

const of = (
  ecosystem: string | null,
  states: Partial<Record<ShownDecidability, number>>,
): CountedCoverage[] =>
  Object.entries(states).map(([state, components]) => ({
    ecosystem,
    state: state as ShownDecidability,
    components,
  }))

describe('what is no longer covered', () => {
  it.each<[string, CountedCoverage[], CountedCoverage[], CountedCoverage[]]>([
    ['nothing changed', of('Hex', { covered: 5 }), of('Hex', { covered: 5 }), []],
    [
      'its source ended',
      of('Hex', { covered: 5 }),
      of('Hex', { no_source: 5 }),
      [{ ecosystem: 'Hex', state: 'no_source', components: 5 }],
    ],
    ['covered ones are gone', of('Hex', { covered: 5 }), of('Hex', { covered: 1 }), []],
    ['all are gone', of('Hex', { covered: 5 }), [], []],
    ['others came', of('Hex', { covered: 5 }), of('Hex', { covered: 5, no_version: 3 }), []],
    ['the first came', [], of('Hex', { no_source: 3 }), []],
    [
      'one of two is gone, the other lost',
      of('GIT', { covered: 2, not_covered: 4 }),
      of('GIT', { not_covered: 5 }),
      [{ ecosystem: 'GIT', state: 'not_covered', components: 1 }],
    ],
    [
      'the state that grew most is named',
      of('Debian', { covered: 9, no_version: 4 }),
      of('Debian', { covered: 1, no_version: 5, release_unknown: 7 }),
      [{ ecosystem: 'Debian', state: 'release_unknown', components: 8 }],
    ],
    [
      'the most first',
      [...of('A', { covered: 1 }), ...of('B', { covered: 2 }), ...of(null, { covered: 1 })],
      [...of('A', { no_source: 1 }), ...of('B', { no_source: 2 }), ...of(null, { covered: 1 })],
      [
        { ecosystem: 'B', state: 'no_source', components: 2 },
        { ecosystem: 'A', state: 'no_source', components: 1 },
      ],
    ],
  ])('%s', (_, before, now, lost) => {
    expect(lostCoverage(before, now)).toEqual(lost)
  })
})
