import { describe, expect, it } from 'vitest'
import type { ShownDecidability } from '../../contract/identity.ts'
import type { LostCoverage } from '../../contract/inventory/shapes.ts'
import { lostCoverage, type CountedCoverage } from './lost-coverage.ts'

const of = (
  ecosystem: string | null,
  states: Partial<Record<ShownDecidability, number>>,
  release = '',
): CountedCoverage[] =>
  Object.entries(states).map(([state, components]) => ({
    ecosystem,
    release,
    state: state as ShownDecidability,
    components,
  }))

describe('what is no longer covered', () => {
  it.each<[string, CountedCoverage[], CountedCoverage[], LostCoverage[]]>([
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
    [
      'one release lost, another one new',
      of('Debian', { covered: 5 }, '11'),
      [...of('Debian', { no_source: 5 }, '11'), ...of('Debian', { covered: 6 }, '13')],
      [{ ecosystem: 'Debian', state: 'no_source', components: 5 }],
    ],
    [
      'releases that were not counted before',
      of('Debian', { covered: 9 }),
      [...of('Debian', { no_source: 5 }, '11'), ...of('Debian', { covered: 4 }, '13')],
      [{ ecosystem: 'Debian', state: 'no_source', components: 5 }],
    ],
  ])('%s', (_, before, now, lost) => {
    expect(lostCoverage(before, now)).toEqual(lost)
  })

  it.each<[string, CountedCoverage[], CountedCoverage[], LostCoverage[]]>([
    [
      'beside a new one that is covered',
      of('GIT', { covered: 1 }),
      of('GIT', { covered: 1, not_covered: 1 }),
      [{ ecosystem: 'GIT', state: 'not_covered', components: 1 }],
    ],
    [
      'beside one that is covered for the first time',
      of('GIT', { covered: 1, not_covered: 1 }),
      of('GIT', { covered: 1, not_covered: 1 }),
      [{ ecosystem: 'GIT', state: 'not_covered', components: 1 }],
    ],
    [
      'which the counts show, too',
      of('GIT', { covered: 3 }),
      of('GIT', { covered: 2, not_covered: 1 }),
      [{ ecosystem: 'GIT', state: 'not_covered', components: 1 }],
    ],
  ])('one that no record names any more, %s', (_, before, now, lost) => {
    expect(lostCoverage(before, now, of('GIT', { not_covered: 1 }))).toEqual(lost)
  })

  it('looks at no row once for each release: a sender can name thousands', () => {
    let looks = 0
    const watched = (row: CountedCoverage): CountedCoverage => ({
      ...row,
      get release() {
        looks += 1
        return row.release
      },
    })
    const each = (states: Partial<Record<ShownDecidability, number>>) =>
      Array.from({ length: 500 }, (_, at) => of('Debian', states, String(at)))
        .flat()
        .map(watched)
    const rows = [each({ covered: 2, no_version: 1 }), each({ covered: 1, no_version: 2 })] as const
    looks = 0
    expect(lostCoverage(...rows)).toEqual([{ ecosystem: 'Debian', state: 'no_version', components: 500 }])
    expect(looks).toBeLessThan(10 * rows.flat().length)
  })
})
