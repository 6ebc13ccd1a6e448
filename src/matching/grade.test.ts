import { describe, expect, it } from 'vitest'
import { gradeOf, type MatchFacts } from './grade.ts'

describe('grade of a match', () => {
  const covered: MatchFacts = { decidability: 'covered', basis: 'purl', isInformational: false, doubt: null }

  it.each<[string, Partial<MatchFacts>, string]>([
    ['version in a range, by purl', {}, 'exact'],
    ['version in a range, by CPE', { basis: 'cpe' }, 'exact'],
    ['by a guessed CPE', { basis: 'guessed_cpe' }, 'possible guessed_cpe'],
    ['range in doubt', { doubt: 'edition' }, 'possible edition'],
    ['no version, range in doubt', { decidability: 'no_version', doubt: 'target' }, 'possible no_version'],
    ['by name only', { basis: 'name' }, 'possible name_only'],
    ['no version', { decidability: 'no_version' }, 'possible no_version'],
    ['release unknown, answered by a list', { decidability: 'release_unknown' }, 'possible release_unknown'],
    ['version without order, listed', { decidability: 'uncomparable' }, 'possible unordered_version'],
    ['informational record', { isInformational: true }, 'possible informational'],
    [
      'informational record on a component without version',
      { isInformational: true, decidability: 'no_version' },
      'possible informational',
    ],
  ])('%s', (_name, facts, expected) => {
    const { grade, reason } = gradeOf({ ...covered, ...facts })
    expect([grade, reason].filter((word) => word !== null).join(' ')).toBe(expected)
  })
})
